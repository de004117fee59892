import ConvertAnalysis
import ConvertSwiftSDKCore

/// A command's arguments, told apart into options and operands as its declaration says.
struct Arguments: Sendable {
    /// Somebody asks for the command's help page.
    struct HelpRequest: Error {}

    private let declaration: CommandDeclaration
    /// Values by option, each in the order given; a flag has none.
    private var values: [String: [String]] = [:]

    /// What is no option, in order.
    private(set) var operands: [String] = []

    /// Tells `arguments` apart. An option takes the next argument or what follows `=`, in its short form what follows
    /// the letter. Behind `--` everything is an operand; so is `-`.
    /// - Throws: ``UsageError`` if they do not fit the declaration, ``HelpRequest``.
    init(_ arguments: [String], for declaration: CommandDeclaration) throws {
        try self.init(partOf: arguments[...], for: declaration)
        try checkOperands()
    }

    /// Tells apart arguments that more may follow.
    init(partOf arguments: ArraySlice<String>, for declaration: CommandDeclaration) throws {
        self.declaration = declaration
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            } else if argument.hasPrefix("--") {
                try take(argument, &rest)
            } else if argument.hasPrefix("-"), argument != "-" {
                try takeLetters(argument.dropFirst(), of: argument, &rest)
            } else {
                operands.append(argument)
            }
        }
    }

    /// Takes an option in its long form.
    private mutating func take(_ argument: String, _ rest: inout ArraySlice<String>) throws {
        let parts = argument.splitAtEqualsSign
        let name = parts?.name ?? argument
        guard let option = declaration.option(name) else {
            let unknown = UnknownName("option", name, among: declaration.allOptions.map(\.name))
            throw UsageError("unknown option '\(name)'\(unknown.question(then: "see \(help)"))")
        }
        guard option.value != nil else {
            guard parts == nil else { throw UsageError("\(name) takes no value") }
            return try add(option, nil)
        }
        try add(option, parts?.value ?? nextValue(of: name, in: &rest))
    }

    /// Takes options in their short forms; one that has a value is the last.
    private mutating func takeLetters(
        _ letters: Substring, of argument: String, _ rest: inout ArraySlice<String>
    ) throws {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = declaration.option(letter) else {
                throw UsageError("unknown option '-\(letter)' in '\(argument)'; operands go behind '--'; see \(help)")
            }
            guard option.value != nil else {
                try add(option, nil)
                continue
            }
            let value = letters.isEmpty ? try nextValue(of: "-\(letter)", in: &rest) : String(letters)
            return try add(option, value)
        }
    }

    private mutating func add(_ option: OptionDeclaration, _ value: String?) throws {
        if option.name == OptionDeclaration.help.name { throw HelpRequest() }
        if !option.isRepeatable, value != nil, values[option.name] != nil {
            throw UsageError("\(option.name) was given more than once; give it once")
        }
        values[option.name, default: []] += value.map { [$0] } ?? []
    }

    /// The argument behind an option. One that looks like an option is more likely a value forgotten;
    /// `--option=--value` gives it all the same.
    private func nextValue(of name: String, in rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw UsageError("\(name) needs a value; see \(help)")
        }
        rest.removeFirst()
        return value
    }

    private func checkOperands() throws {
        let count = declaration.operands?.count ?? 0...0
        if operands.count > count.upperBound {
            throw UsageError("unexpected '\(operands[count.upperBound])'; see \(help)")
        }
        if let expected = declaration.operands, operands.count < count.lowerBound {
            throw UsageError("\(expected.name) is missing: \(expected.meaning); see \(help)")
        }
    }

    private var help: String { "'convert-sdk help \(declaration.name)'" }

    /// Whether the flag was given.
    func has(_ flag: OptionDeclaration) -> Bool { values[flag.name] != nil }

    /// The values of an option, in the order given.
    func all(_ option: OptionDeclaration) -> [String] { values[option.name] ?? [] }

    /// The value of an option, if it was given.
    subscript(option: OptionDeclaration) -> String? { values[option.name]?.first }

    /// The value of an option that must be given.
    func required(_ option: OptionDeclaration) throws(UsageError) -> String {
        guard let value = self[option] else { throw UsageError("\(option.name) is missing: \(option.meaning)") }
        return value
    }

    /// The whole number in `range` that an option has for its value, if it was given.
    func count(_ option: OptionDeclaration, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let count = Int(text), range.contains(count) else {
            throw UsageError(
                "\(option.name): '\(text)' is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    /// The share above 0 and below 1 that an option has for its value, as a number or in percent, if it was given.
    func share(_ option: OptionDeclaration) throws(UsageError) -> Double? {
        guard let text = self[option] else { return nil }
        guard let share = Self.ratio(text), share < 1 else {
            throw UsageError("\(option.name): '\(text)' is no share; write 0.5% or 0.005")
        }
        return share
    }

    /// The ratio above 0 that `text` spells, as a number or in percent; `nil` if it does not.
    static func ratio(_ text: String) -> Double? {
        let ratio = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
        return ratio.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }

    /// The value that an option names among the cases of a type, if it was given.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ option: OptionDeclaration, of type: Value.Type
    ) throws(UsageError) -> Value? {
        guard let name = self[option] else { return nil }
        return try Self.choice(name, for: option.name, of: type)
    }

    /// The value that `name`, which was given for `argument`, names among the cases of a type.
    static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, for argument: String, of type: Value.Type
    ) throws(UsageError) -> Value {
        if let value = Value(rawValue: name) { return value }
        let names = Value.allCases.map(\.rawValue)
        let choices = "choose one of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
        throw UsageError(
            "\(argument): unknown '\(name)'\(UnknownName("name", name, among: names).question(then: choices))")
    }
}

extension String {
    /// What stands before and behind the first `=`, or `nil` without any. By bytes: a character that begins with a
    /// combining mark must not swallow the sign.
    var splitAtEqualsSign: (name: String, value: String)? {
        guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(self[..<sign]), String(Substring(utf8[utf8.index(after: sign)...])))
    }
}
