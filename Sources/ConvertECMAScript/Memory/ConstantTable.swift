import CConvertUnicode

/// Constants of `CConvertUnicode`, accessed like an array. An index out of range traps.
///
/// Invariant: the `count` elements from `start` on never change while the process runs. Only the tables of that module
/// are used as a start.
@safe
struct ConstantTable<Element: BitwiseCopyable>: RandomAccessCollection, @unchecked Sendable {
    private let start: UnsafePointer<Element>
    let count: Int

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Element {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        return unsafe start[index]
    }
}

extension ConstantTable<UInt16> {
    init(_ table: ConvertUnicodeTable16) { unsafe self.init(start: table.start, count: table.count) }
}

extension ConstantTable<UInt32> {
    init(_ table: ConvertUnicodeTable32) { unsafe self.init(start: table.start, count: table.count) }
}

extension ConstantTable<CChar> {
    init(_ text: ConvertUnicodeText) { unsafe self.init(start: text.start, count: text.count) }

    /// The text's lines.
    var lines: [String] {
        split(separator: CChar(bitPattern: UInt8(ascii: "\n"))).map {
            String(decoding: $0.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
