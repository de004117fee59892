internal import ConvertECMAScript
public import Foundation

/// The contents of a `rules.json`.
///
///     let document = try RulesDocument(json: data)
///     for warning in document.warnings(under: .standard) { print(warning) }
///
/// Decoding is strict about types: one member of the wrong type anywhere refuses the document. What it does not understand
/// it keeps out and warns of.
public struct RulesDocument: Sendable {
    /// The version of the format; every number is accepted.
    public let version: Int
    /// The rules, in order.
    public let rules: [MobileRule]

    /// A document without rules: nothing matches.
    public static let empty = RulesDocument(rules: [])

    /// A document of rules that were decoded elsewhere, under version 1.
    init(rules: [MobileRule]) {
        version = 1
        self.rules = rules
    }

    /// Decodes the bytes of a `rules.json`: UTF-8, with or without a byte order mark.
    ///
    /// - Throws: ``MobileRulesError`` with the rule's index and the JSON path of what is wrong.
    public init(json: Data) throws(MobileRulesError) {
        if json.count > MobileRulesLimits.inflatedLength {
            throw MobileRulesError(
                .tooLarge, at: "$", "the document is longer than \(MobileRulesLimits.inflatedLength) bytes.")
        }
        if Self.isWide(json.prefix(4)) {
            throw MobileRulesError(
                .invalidJSON, at: "$", "the document is UTF-16 or UTF-32; save it as UTF-8, the encoding of JSON files."
            )
        }
        // The decoder looks only at the text it is asked for, and takes text in another encoding for a missing member.
        guard Self.isASCII(json) || String(validating: json, as: UTF8.self) != nil else {
            throw MobileRulesError(.invalidJSON, at: "$", "the document holds bytes that are not UTF-8.")
        }
        do {
            self = try DecodingAttempts.$current.withValue(DecodingAttempts()) {
                try JSONDecoder().decode(RulesDocument.self, from: json)
            }
        } catch {
            throw MobileRulesError(decoding: error)
        }
    }

    /// Whether there is nothing to validate, as in most documents.
    private static func isASCII(_ json: Data) -> Bool { json.withUnsafeBytes { $0.reduce(0, |) < 0x80 } }

    /// Whether text that begins with these bytes is UTF-16 or UTF-32: by its byte order mark, or because it begins with
    /// ASCII, of which JSON in UTF-8 holds no NUL.
    private static func isWide(_ start: Data) -> Bool {
        start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff]) || start.contains(0)
    }

    /// What was left out or can never hold, at most ``MobileRulesLimits/warnings``, in document order.
    public func warnings(under semantics: MobileRulesSemantics) -> [MobileRulesWarning] {
        var survey = DocumentSurvey(semantics: semantics)
        for (index, rule) in rules.enumerated() where !survey.isFull { survey.visit(rule, at: index) }
        return survey.warnings
    }
}

extension RulesDocument: Decodable {
    private enum Keys: String, CodingKey { case version, rules }

    /// Decodes the document; the error is the decoder's. ``init(json:)`` tells it better.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        guard let version = try container.integer(.version) else {
            let code: MobileRulesError.Code = container.contains(.version) ? .wrongType : .missingMember
            throw DocumentFault(code, container.codingPath + [Keys.version], "the document needs an integer here.")
        }
        self.version = Int(truncatingIfNeeded: version)
        var list = try container.nestedUnkeyedContainer(forKey: .rules)
        var rules: [MobileRule] = []
        rules.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd { rules.append(try MobileRule(list.nestedContainer(keyedBy: MobileRule.Keys.self))) }
        self.rules = rules
    }
}

extension MobileRulesError {
    /// What a decoder's error means for a document.
    init(decoding error: any Error) {
        func ruleIndex(_ path: [any CodingKey]) -> Int? {
            path.count > 1 && path[0].stringValue == "rules" ? path[1].intValue : nil
        }
        switch error {
        case let fault as DocumentFault:
            self.init(fault.code, at: jsonPath(fault.path), fault.message, ruleIndex: ruleIndex(fault.path))
        case DecodingError.keyNotFound(let key, let context):
            self.init(
                .missingMember, at: jsonPath(context.codingPath + [key]),
                "this member is missing; the document is refused.",
                ruleIndex: ruleIndex(context.codingPath))
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            self.init(
                .wrongType, at: jsonPath(context.codingPath),
                "this is of the wrong type; the document is refused. \(context.debugDescription)",
                ruleIndex: ruleIndex(context.codingPath))
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(
                .wrongType, at: jsonPath(context.codingPath),
                "this value is out of range; the document is refused. \(context.debugDescription)",
                ruleIndex: ruleIndex(context.codingPath))
        default:
            self.init(
                .invalidJSON, at: "$",
                "this is no JSON that can be read: empty, cut short, not UTF-8, or nested deeper than 512.")
        }
    }
}
