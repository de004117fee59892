import ConvertECMAScript
import Foundation

/// A pattern, an input on which it backtracks much, and the recorded answer.
struct Attack {
    let expression: RegExp
    let input: [UInt8]
    let expected: Bool

    /// `text` stretched or cut to about `length` bytes, with more or fewer repetitions of the period in its middle.
    static func stretched(_ text: [UInt8], to length: Int) -> [UInt8] {
        let edge = 12
        let middle = text.dropFirst(edge).dropLast(edge)
        let period =
            (1...8).first { period in zip(middle, middle.dropFirst(period)).allSatisfy { $0 == $1 } }
            ?? max(1, middle.count)
        // Only whole periods are added or removed, so that the end follows the same bytes as before.
        let count = max(0, (length - 2 * edge) / period) * period + middle.count % period
        let repeated = (0..<count).map { middle[middle.startIndex + $0 % period] }
        return text.prefix(edge) + repeated + text.suffix(edge)
    }
}

extension Inputs {
    /// The recorded patterns with much backtracking, each with its longest input stretched or cut to about `length`
    /// bytes.
    func attacks(length: Int) throws -> [Attack] {
        var longest: [String: (input: String, recorded: JSObject)] = [:]
        let file = try Inputs(path: nil).json("../regex/regex-redos.json").objectValue
        for recorded in file?["cases"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            guard let pattern = recorded["pattern"]?.stringValue, let input = recorded["input"]?.stringValue,
                input.utf8.count > longest[pattern]?.input.utf8.count ?? 0
            else { continue }
            longest[pattern] = (input, recorded)
        }
        return try longest.sorted { $0.key < $1.key }.map { pattern, attack in
            Attack(
                expression: try RegExp(pattern, flags: attack.recorded["flags"]?.stringValue ?? "i"),
                input: Attack.stretched(Array(attack.input.utf8), to: length),
                expected: attack.recorded["expect"]?.boolValue ?? false)
        }
    }
}
