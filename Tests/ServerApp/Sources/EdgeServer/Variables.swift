import Foundation
import Hummingbird

/// Reads the environment's variables. A variable that is set to something unusable is an error, never a default.
struct Variables {
    let environment: Environment

    /// The text of a variable; `nil` if it is not set.
    func text(_ name: String) throws -> String? {
        guard let text = environment.get(name) else { return nil }
        if text.isEmpty { throw EdgeSettings.Invalid(description: "\(name) is set but empty; unset it") }
        return text
    }

    /// The number of a variable; `nil` if it is not set.
    func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, in range: ClosedRange<Number>
    ) throws -> Number? {
        guard let text = environment.get(name) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw EdgeSettings.Invalid(
                description: "\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// The parts of a list, separated by commas, without spaces around them; `nil` if the variable is not set.
    func list(_ name: String) throws -> [String]? {
        guard let text = environment.get(name) else { return nil }
        let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        if parts.isEmpty { throw EdgeSettings.Invalid(description: "\(name) is set but has no entry; unset it") }
        return parts
    }
}
