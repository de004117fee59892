import ConvertAnalysis
import ConvertSwiftSDK

/// A command's arguments, parsed into options and operands according to its declaration.
struct Arguments: Sendable {
    /// A request for the command's help page.
    struct HelpRequest: Error {}

    private let declaration: CommandDeclaration
    /// The values by option name, in the given order; a flag has no values.
    private var values: [String: [String]] = [:]

    /// The operands, in order.
    private(set) var operands: [String] = []

    /// Parses `arguments`. An option's value is the next argument or the text after `=` or, in the short form, the text
    /// after the letter. All arguments after `--` are operands, and so is `-`.
    /// - Throws: ``UsageError`` if `arguments` do not fit the declaration, or ``HelpRequest``.
    init(_ arguments: [String], for declaration: CommandDeclaration) throws {
        try self.init(partOf: arguments[...], for: declaration)
        try checkOperands()
    }

    /// Parses the first arguments of a command; the operands may be incomplete.
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

    /// Parses an option in its long form.
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

    /// Parses options in their short forms. An option with a value must be the last.
    private mutating func takeLetters(
        _ letters: Substring, of argument: String, _ rest: inout ArraySlice<String>
    ) throws {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = declaration.option(letter) else {
                throw UsageError("unknown option '-\(letter)' in '\(argument)'; operands go after '--'; see \(help)")
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

    /// The argument after an option. An argument that looks like an option is an error, because the value was probably
    /// forgotten; `--option=--value` passes it anyway.
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

    /// The values of an option, in the given order.
    func all(_ option: OptionDeclaration) -> [String] { values[option.name] ?? [] }

    /// The value of an option; `nil` if the option was not given.
    subscript(option: OptionDeclaration) -> String? { values[option.name]?.first }

    /// The value of a required option.
    func required(_ option: OptionDeclaration) throws(UsageError) -> String {
        guard let value = self[option] else { throw UsageError("\(option.name) is missing: \(option.meaning)") }
        return value
    }

    /// The value of an option as a whole number in `range`; `nil` if the option was not given.
    func count(_ option: OptionDeclaration, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let count = Int(text), range.contains(count) else {
            throw UsageError(
                "\(option.name): '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    /// The value of an option as a share above 0 and below 1, written as a number or in percent; `nil` if the option
    /// was not given.
    func share(_ option: OptionDeclaration) throws(UsageError) -> Double? {
        guard let text = self[option] else { return nil }
        guard let share = Self.ratio(text), share < 1 else {
            throw UsageError("\(option.name): '\(text)' is not a share; write 0.5% or 0.005")
        }
        return share
    }

    /// The ratio in `text`, written as a number or in percent; `nil` if it is not a number above 0.
    static func ratio(_ text: String) -> Double? {
        number(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }

    /// The number in `text`, which may be in percent; `nil` if it is no number.
    static func number(_ text: some StringProtocol) -> Double? {
        text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
    }

    /// The value of an option as a case of a type; `nil` if the option was not given.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ option: OptionDeclaration, of type: Value.Type
    ) throws(UsageError) -> Value? {
        guard let name = self[option] else { return nil }
        return try Self.choice(name, for: option.name, of: type)
    }

    /// The case with this name, which is the value of `argument`.
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
    /// The texts before and after the first `=`; `nil` if there is no `=`. Compares bytes, because a combining mark
    /// after the sign makes it another character.
    var splitAtEqualsSign: (name: String, value: String)? {
        guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(self[..<sign]), String(Substring(utf8[utf8.index(after: sign)...])))
    }
}
