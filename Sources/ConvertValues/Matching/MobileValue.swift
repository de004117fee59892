package import ConvertECMAScript

/// An event's value in the forms to which operands are compared. Each form of a text is computed at most once.
package struct MobileValue: Sendable {
    /// The value; `nil` if it is missing.
    package let value: JSValue?
    private var memo: Memo<MobileText> = .unknown
    private var integerMemo: Memo<Int> = .unknown
    private var doubleMemo: Memo<Double> = .unknown
    private var boolMemo: Memo<Bool> = .unknown

    private enum Memo<Form: Sendable>: Sendable {
        case unknown, none
        case known(Form)

        mutating func form(_ make: () -> Form?) -> Form? {
            switch self {
            case .known(let form): return form
            case .none: return nil
            case .unknown:
                let form = make()
                self = form.map(Memo.known) ?? .none
                return form
            }
        }
    }

    /// Wraps `value`. Pass `nil` for an array or object, which is not a leaf of an event, and for null, which counts as
    /// absent.
    package init(_ value: JSValue?) { self.value = value }

    /// The lowercased text, empty if the value is missing, or `nil` for an array or an object.
    package var lowercase: MobileText? {
        mutating get { memo.form { [value] in MobileOperand.text(of: value).map { MobileText(lowercasing: $0) } } }
    }

    /// The value as an integer; see ``MobileOperand/integer(of:)``.
    package var integer: Int? {
        mutating get {
            guard case .string(let text)? = value else { return MobileOperand.integer(of: value) }
            return integerMemo.form { Int(text) }
        }
    }

    /// The value as a double; see ``MobileOperand/double(of:)``.
    package var double: Double? {
        mutating get {
            guard case .string(let text)? = value else { return MobileOperand.double(of: value) }
            return doubleMemo.form { Double(text) }
        }
    }

    /// The value as a boolean, `false` if it is missing; `nil` for an array or an object.
    package var bool: Bool? {
        mutating get { boolMemo.form { [value] in MobileOperand.bool(of: value) } }
    }

    /// The value as text, empty if it is missing; `nil` for an array or an object.
    package var text: String? { MobileOperand.text(of: value) }
}
