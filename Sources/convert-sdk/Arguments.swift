/// A command's arguments, told apart into options and operands.
struct Arguments {
    /// Values by option, each in the order given.
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    /// What is no option, in order.
    private(set) var operands: [String] = []

    /// Tells `arguments` apart: options of `valued` take the next argument or what follows `=`, those of `flags` none, and
    /// behind `--` everything is an operand.
    init(_ arguments: [String], valued: Set<String>, flags known: Set<String>, command: String) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            }
            guard argument.hasPrefix("--") else {
                operands.append(argument)
                continue
            }
            let parts = argument.splitAtEqualsSign
            let name = parts?.name ?? argument
            if valued.contains(name) {
                let value: String
                if let parts {
                    value = parts.value
                } else {
                    value = try Self.nextValue(of: name, in: &rest, command: command)
                }
                values[name, default: []].append(value)
            } else if known.contains(name) {
                guard parts == nil else { throw UsageError("\(name) takes no value") }
                flags.insert(name)
            } else {
                throw UsageError("unknown option '\(name)'; see 'convert-sdk help \(command)'")
            }
        }
    }

    /// The argument behind an option. One that looks like an option is more likely a value forgotten; `--option=--value`
    /// gives it all the same.
    private static func nextValue(
        of name: String, in rest: inout ArraySlice<String>, command: String
    ) throws(UsageError) -> String {
        guard let value = rest.first, !value.hasPrefix("--") else {
            throw UsageError("\(name) needs a value; see 'convert-sdk help \(command)'")
        }
        rest.removeFirst()
        return value
    }

    /// Whether the flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// All values of an option that may be repeated.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// The value of an option that may be given once, or `nil`.
    func single(_ option: String) throws(UsageError) -> String? {
        let values = all(option)
        guard values.count <= 1 else { throw UsageError("\(option) was given \(values.count) times; give it once") }
        return values.first
    }

    /// The value of an option that must be given once.
    func required(_ option: String, _ meaning: String) throws(UsageError) -> String {
        guard let value = try single(option) else { throw UsageError("\(option) is missing: \(meaning)") }
        return value
    }
}

/// The command line cannot be understood, or its input cannot be used. The message says what to do.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}

extension String {
    /// What stands before and behind the first `=`, or `nil` without any. By bytes: a character that begins with a
    /// combining mark must not swallow the sign.
    var splitAtEqualsSign: (name: String, value: String)? {
        guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(self[..<sign]), String(Substring(utf8[utf8.index(after: sign)...])))
    }
}
