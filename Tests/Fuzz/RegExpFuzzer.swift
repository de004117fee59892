/// libFuzzer's entry: a byte of flags, a pattern, a zero byte, an input. See `Tests/README.md` for the command.
///
/// Whatever arrives, nothing may trap or hang, and the executors must agree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRegExp(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let parts = UnsafeBufferPointer(start: bytes + 1, count: count - 1)
        .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let letters = ["i", "m", "s", "d", "g", "y"].enumerated().filter { bytes[0] >> $0.offset & 1 != 0 }
    let pattern = String(decoding: parts[0], as: UTF8.self)
    let input = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    guard let expression = try? RegExp(pattern, flags: letters.map(\.element).joined()) else { return 0 }
    _ = expression.source
    guard let tested = try? expression.test(input) else { return 0 }
    do {
        let match = try expression.exec(input)
        precondition(tested == (match != nil), "test and exec disagree")
        guard let match else { return 0 }
        let units = input.utf16.count
        for group in 0...match.groupCount {
            guard let range = match.range(of: group) else { continue }
            precondition(range.upperBound <= units, "group \(group) lies outside")
            _ = match[group]
        }
    } catch {}
    return 0
}
