internal import ConvertECMAScript
internal import ConvertSwiftSDK

/// An error in a line or record that is not a valid visitor. It names the place and the correction, and contains no
/// attribute values.
public struct PopulationVisitorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The bytes are not JSON, or the record is not CSV.
        public static let invalidSyntax = Code(name: "invalidSyntax")
        /// The line, or a part of it, is larger than any plausible visitor.
        public static let tooLarge = Code(name: "tooLarge")
        /// A value has the wrong type for its place.
        public static let wrongType = Code(name: "wrongType")
        /// The id is missing or empty.
        public static let missingID = Code(name: "missingID")
        /// The visitor has an unknown member.
        public static let unknownMember = Code(name: "unknownMember")
        /// A line of a log names none of the available configs.
        public static let unknownConfig = Code(name: "unknownConfig")
    }

    /// The kind of the error.
    public let code: Code

    /// The place, as a JSON path; `$` is the whole line.
    public let path: String

    /// The problem and its correction, in one sentence.
    public let message: String

    /// The path and the message in one line.
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
