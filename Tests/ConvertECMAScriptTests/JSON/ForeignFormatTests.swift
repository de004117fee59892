import ConvertECMAScript
import Foundation
import Testing

struct ForeignFormatTests {
    private static let json = #"{"a": 1}"#

    static let formats: [(bytes: Data, name: String)] = [
        (Data([0x1f, 0x8b, 8, 0]), "gzip-compressed; decompress it first with gunzip"),
        (Data([0x28, 0xb5, 0x2f, 0xfd, 0]), "zstd-compressed"), (Data("BZh91AY&SY".utf8), "bzip2-compressed"),
        (Data([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), "xz-compressed"), (Data("PK\u{3}\u{4}x".utf8), "a ZIP archive"),
        (Data("PAR1\u{15}\u{4}".utf8), "a Parquet file"), (Data("ARROW1\0\0".utf8), "an Arrow file"),
        (Data("Obj\u{1}".utf8), "an Avro file"), (Data("SQLite format 3\0".utf8), "an SQLite database"),
        (Data("%PDF-1.7".utf8), "a PDF document"), (Data("version https://git-lfs.github.com/spec/v1".utf8), "Git LFS"),
        (Data("<!DOCTYPE html><p>".utf8), "an HTML page"), (Data("\u{feff} \n<HTML>".utf8), "an HTML page"),
        (Data("<?xml version='1.0'?>".utf8), "XML"), (Data("visitorId,plan\nv,pro".utf8), "CSV"),
        (Data("\"a\";\"b\"\r1;2".utf8), "CSV"), (Data("id\tplan\n".utf8), "CSV"),
        (wide(.utf16), "UTF-16 text; save it as UTF-8"), (wide(.utf16LittleEndian), "UTF-16"),
        (wide(.utf16BigEndian), "UTF-16"), (wide(.utf32), "UTF-32"), (wide(.utf32LittleEndian), "UTF-32"),
        (wide(.utf32BigEndian), "UTF-32"),
    ]

    private static func wide(_ encoding: String.Encoding) -> Data { json.data(using: encoding) ?? Data() }

    private func format(_ bytes: Data) -> String? {
        bytes.withElements { ForeignFormat(insteadOfJSON: $0) }?.description
    }

    @Test(arguments: formats) func isKnownByItsFirstBytes(bytes: Data, name: String) {
        #expect(format(bytes)?.contains(name) == true, "\(String(describing: format(bytes)))")
    }

    @Test(arguments: ["", "{", "[1, 2", "\u{feff}{}", "x", "true false", "{\"a\": 1,}", "a: 1, b: 2", "PAR", "\n\n"])
    func textThatMayBeBrokenJSONIsNone(text: String) { #expect(format(Data(text.utf8)) == nil) }
}
