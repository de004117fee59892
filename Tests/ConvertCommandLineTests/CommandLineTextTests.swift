import ConvertTestSupport
import Foundation
import Testing

@testable import convert_sdk

struct CommandLineTextTests {
    static let options = CommandList.all.flatMap { command in
        command.declaration.allOptions.map { (command.declaration.name, $0.name) }
    }

    @Test(arguments: options)
    func everyOptionRefusesAValueThatIsNotUTF8(command: String, option: String) {
        let value = Array("caf".utf8) + [0xe9]
        let words = [Array(command.utf8), Array(option.utf8), value]
        #expect(throws: UsageError("the argument after \(option) is not UTF-8: its byte 4 cannot be read")) {
            try CommandLineText.texts(of: words)
        }
        #expect(throws: UsageError("the value of \(option) is not UTF-8: its byte 4 cannot be read")) {
            try CommandLineText.texts(of: [Array(command.utf8), Array("\(option)=".utf8) + value])
        }
    }

    @Test func anOperandThatIsNotUTF8IsRefusedByItsPlace() {
        #expect(throws: UsageError("argument 2 is not UTF-8: its byte 1 cannot be read")) {
            try CommandLineText.texts(of: [Array("lint".utf8), [0xff]])
        }
    }

    @Test(arguments: [[0xed, 0xa0, 0xbd], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0xe2, 0x82]])
    func surrogatesAndWhatIsCutOrTooLongAreRefused(word: [UInt8]) {
        #expect(throws: UsageError.self) { try CommandLineText.texts(of: [word]) }
    }

    @Test func wellFormedWordsAreKeptAsTheyAre() throws {
        let words = ["", "é", "e\u{301}", "😀", "--visitor=\u{fffd}"]
        #expect(
            try CommandLineText.texts(of: words.map { Array($0.utf8) }).map { Array($0.utf8) }
                == words.map { Array($0.utf8) })
    }

    /// A shell hands the bytes over, since Foundation passes text only.
    @Test func aVisitorIDThatIsNotUTF8IsRefused() throws {
        let tool = BuiltProduct.executable("convert-sdk").path
        let run = try Tool.run(
            ["-c", #""$0" decide --config - --visitor "$(printf 'caf\351')""#, tool],
            of: URL(fileURLWithPath: "/bin/sh"),
            input: "{}")
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("the argument after --visitor is not UTF-8: its byte 4 cannot be read"))
    }
}
