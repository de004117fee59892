package import ConvertECMAScript

/// An event's value in the forms that operands ask for. The lowercase text is computed at most once.
package struct MobileValue: Sendable {
    /// The value; `nil` if it is missing.
    package let value: JSValue?
    private var memo: Lowercase = .unknown

    private enum Lowercase: Sendable {
        case unknown, none
        case known(MobileText)
    }

    /// Wraps `value`. An array or object is no leaf of an event and null is absent: give `nil` for them.
    package init(_ value: JSValue?) { self.value = value }

    /// The lowercased text, empty if the value is missing, or `nil` for an array or an object.
    package var lowercase: MobileText? {
        mutating get {
            switch memo {
            case .known(let text): return text
            case .none: return nil
            case .unknown:
                guard let text = MobileOperand.text(of: value) else {
                    memo = .none
                    return nil
                }
                let lowercase = MobileText(lowercasing: text)
                memo = .known(lowercase)
                return lowercase
            }
        }
    }

    /// The value as an integer: decimal text, or a number truncated toward zero. `nil` if it is none that fits.
    package var integer: Int? { MobileOperand.integer(of: value) }

    /// The value as a double, or `nil` if it is none.
    package var double: Double? { MobileOperand.double(of: value) }

    /// The value as a boolean, `false` if it is missing; `nil` for an array or an object.
    package var bool: Bool? { MobileOperand.bool(of: value) }

    /// The value as text, empty if it is missing; `nil` for an array or an object.
    package var text: String? { MobileOperand.text(of: value) }
}
