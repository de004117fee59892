internal import ConvertECMAScript
public import Foundation

/// The contents of a `rules.json`.
///
///     let document = try RulesDocument(json: data)
///     for warning in document.warnings(under: .standard) { print(warning) }
///
/// Decoding is strict about types: a member of the wrong type in the document, a rule or a condition rejects the
/// document. A consequence without the texts `id` and `type` and the object `detail` is left out, with a warning.
/// Unknown members are ignored, with a warning if their name is similar to a known name.
public struct RulesDocument: Sendable {
    /// The version of the format. Any integer is accepted, even with another spelling such as `1.0`. A document is
    /// rejected if its version is a fraction, text, `null` or missing.
    public let version: Int
    /// The rules, in order.
    public let rules: [MobileRule]
    private let findings: [RulesReader.Finding]

    /// A document without rules: nothing matches.
    public static let empty = RulesDocument(rules: [])

    /// Creates a document from rules that were decoded elsewhere, with version 1.
    init(rules: [MobileRule]) {
        version = 1
        self.rules = rules
        findings = []
    }

    /// Decodes the bytes of a `rules.json`: UTF-8, with or without a byte order mark.
    ///
    /// Takes time linear to the document.
    ///
    /// - Throws: ``MobileRulesError`` with the rule's index and the JSON path of the problem.
    public init(json: Data) throws(MobileRulesError) {
        try self.init(json: json, values: MobileRulesLimits.documentValues)
    }

    /// Decodes the bytes like ``init(json:)``, with a limit of `values` values.
    init(json: Data, values: Int) throws(MobileRulesError) {
        if json.count > MobileRulesLimits.inflatedLength {
            throw MobileRulesError(
                .tooLarge, at: "$", "the document is longer than \(MobileRulesLimits.inflatedLength) bytes.")
        }
        let document = try Self.parse(json, values: values)
        self = try document.withRoot { (root) throws(MobileRulesError) in try RulesDocument(root) }
    }

    private static func parse(_ json: Data, values: Int) throws(MobileRulesError) -> JSONDocument {
        var limits = JSONLimits()
        limits.values = values
        do throws(JSONSyntaxError) {
            return try json.withElements { bytes throws(JSONSyntaxError) in
                try ECMAScript.parseJSON(bytes, limits: limits, vocabulary: RulesMember.vocabulary)
            }
        } catch {
            if let format = json.withElements({ ForeignFormat(insteadOfJSON: $0) }) {
                throw MobileRulesError(.invalidJSON, at: "$", "the document is \(format).")
            }
            throw MobileRulesError(error)
        }
    }

    /// Returns warnings about parts that were left out or never hold, and about members that may be misspelt.
    ///
    /// Warnings are in document order, except that misspelt members of an object precede its contents. There are at
    /// most ``MobileRulesLimits/warnings``.
    public func warnings(under semantics: MobileRulesSemantics) -> [MobileRulesWarning] {
        let isTooMuch = findings.count > MobileRulesLimits.warnings
        let warnings = findings.prefix(isTooMuch ? MobileRulesLimits.warnings - 1 : findings.count).map { finding in
            MobileRulesWarning(
                at: finding.place, semantics == .standard ? finding.message : finding.messageOfReference,
                ruleIndex: finding.ruleIndex)
        }
        if !isTooMuch { return warnings }
        return warnings
            + [MobileRulesWarning(at: "$", "there are too many warnings about the document; the rest are left out.")]
    }
}

extension RulesDocument {
    private init(_ root: JSONCursor) throws(MobileRulesError) {
        let list: JSONCursor
        do {
            version = try Self.version(of: root.asObject())
            list = try root.required(.rules).asArray()
        } catch {
            throw MobileRulesError(error, ruleIndex: nil)
        }
        var reader = RulesReader()
        reader.checkNames(of: root, as: .document)
        var rules: [MobileRule] = []
        rules.reserveCapacity(list.count)
        for cursor in list.elements {
            do {
                reader.ruleIndex = rules.count
                rules.append(try MobileRule(cursor, &reader))
            } catch {
                throw MobileRulesError(error, ruleIndex: rules.count)
            }
        }
        self.rules = rules
        findings = reader.findings
    }

    private static func version(of root: JSONCursor) throws(DocumentFault) -> Int {
        guard let version = Int(exactly: try root.required(.version).asInteger()) else {
            throw DocumentFault(.wrongType, member: .version, in: root, "this is beyond what an integer can hold.")
        }
        return version
    }
}

extension MobileRulesError {
    fileprivate init(_ fault: DocumentFault, ruleIndex: Int?) {
        self.init(fault.code, at: fault.place, fault.message, ruleIndex: ruleIndex)
    }

    fileprivate init(_ error: JSONSyntaxError) {
        switch error.code {
        case .tooManyValues, .tooManyNames, .tooLong:
            self.init(.tooLarge, at: "$", "the document is too large: \(error.expected) are read; split it.")
        case .notUTF8:
            self.init(
                .invalidJSON, at: "$",
                "the document holds bytes that are not UTF-8, at line \(error.line), column \(error.column).")
        case .tooDeep:
            self.init(
                .invalidJSON, at: "$",
                "the document is nested too deep at line \(error.line), column \(error.column): \(error.expected) are "
                    + "read; flatten it.")
        case .endsEarly, .unexpected:
            self.init(
                .invalidJSON, at: "$",
                "this is not valid JSON, at line \(error.line), column \(error.column): expected "
                    + "\(error.expected).")
        }
    }
}
