internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// Why a line or a record is no visitor. It names the place and what to do, and quotes no attribute.
public struct PopulationVisitorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The bytes are not JSON, or the record is not CSV.
        public static let invalidSyntax = Code(name: "invalidSyntax")
        /// The line, or what it holds, is larger than any plausible visitor.
        public static let tooLarge = Code(name: "tooLarge")
        /// A value is of another type than its place asks for.
        public static let wrongType = Code(name: "wrongType")
        /// There is no id, or an empty one.
        public static let missingID = Code(name: "missingID")
        /// A member that visitors do not have.
        public static let unknownMember = Code(name: "unknownMember")
        /// A line of a log names none of the configs that are given.
        public static let unknownConfig = Code(name: "unknownConfig")
    }

    /// What is wrong.
    public let code: Code

    /// Where, as a JSON path; `$` is the whole line.
    public let path: String

    /// What is wrong and what to do, in a sentence.
    public let message: String

    /// Path and message in one line.
    public var description: String { "\(path): \(message)" }
}

extension PopulationVisitorError {
    static var tooLong: PopulationVisitorError {
        PopulationVisitorError(
            code: .tooLarge, path: "$",
            message: "it is too large: at most \(PopulationFormat.recordLimit) bytes are read.")
    }

    static var missingID: PopulationVisitorError {
        PopulationVisitorError(
            code: .missingID, path: "$.visitorId",
            message: "it is missing or empty; nothing is decided without a visitor's id.")
    }

    static func unknownMember(
        _ name: String, in path: String = "$", among names: [String]
    ) -> PopulationVisitorError {
        let place =
            path == "$" ? "put properties of the visitor into 'attributes'." : "give \(names.joined(separator: ", "))."
        let remedy = UnknownName("member", name, among: names).remedy(else: place)
        return PopulationVisitorError(
            code: .unknownMember, path: path, message: "unknown member '\(name.excerpt().onOneLine)'; \(remedy)")
    }

    init(_ error: JSONSyntaxError, isEmpty: Bool) {
        switch error.code {
        case .endsEarly where isEmpty:
            self.init(code: .invalidSyntax, path: "$", message: "the line is empty; expected a visitor.")
        case .endsEarly, .unexpected:
            self.init(
                code: .invalidSyntax, path: "$",
                message: "not valid JSON at column \(error.column): expected \(error.expected).")
        case .notUTF8:
            self.init(
                code: .invalidSyntax, path: "$",
                message: "it holds bytes that are not UTF-8, at column \(error.column).")
        case .tooDeep, .tooManyValues, .tooManyNames, .tooLong:
            self.init(code: .tooLarge, path: "$", message: "it is too large: \(error.expected) are read.")
        }
    }
}
