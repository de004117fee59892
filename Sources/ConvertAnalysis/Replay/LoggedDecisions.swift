public import ConvertECMAScript
package import ConvertSwiftSDK
package import ConvertSwiftSDKCore
package import Foundation

/// A line of a decision log: a visitor and the decisions for the visitor.
///
/// The line is the visitor's own line with additional members. `convert-sdk assign --echo` writes such lines:
///
///     {"visitorId":"v-1","attributes":{"plan":"pro"},"environment":"staging","call":{"each":true},"decisions":{"a":"x","b":null}}
///
/// An SDK's `DecisionLog` writes them too. The line names the config, and contains the circumstances of the decisions.
/// If one call asked for all experiences (`call` has `all` or `each`), a replay decides them in the order of its own
/// config. Otherwise it decides them one by one in the order of ``decisions``.
public struct LoggedDecisions: Sendable, Equatable {
    /// The data that the decisions depended on.
    public var visitor: PopulationVisitor

    /// The decisions by the key of the experience, in their order. Each is the key of a variation (or its id, if it has
    /// no key) or `null`.
    public var decisions: JSObject

    /// The features that were asked for. Each is `null` if it is off, or else a list with an entry for each experience
    /// that carries it. In a line with ``decisions``, they are the result of a call for all features of the same
    /// visitor.
    public var features: JSObject = [:]

    /// The revision of the config that decided; `nil` if the line does not say it.
    public var configRevision: String?

    /// The environment of the decisions; `nil` if the line does not contain it.
    public var environment: String?

    /// The names of data that affected the decisions and is left out, such as redacted properties.
    public var withheld: [String] = []

    /// The call and its options.
    package var call = LoggedCall()

    /// The time of the decisions, as written in the line; `nil` if the line has no time.
    package var time: String?

    /// The number of the line in the log, from 1, including blank lines; `nil` if the line was not read from a log.
    package var number: Int?

    /// The source of each variation, or the reason for having no variation, by experience; `nil` if the line does not
    /// contain them.
    package var reasons: JSObject?

    /// The options with which the config was compiled.
    package var compilation = CompilationOptions()

    /// Bucket values by experience, if the visitor's id is not the one that was decided for.
    package var buckets: JSObject?

    /// Whether the line does not contain the visitor's own id.
    package var hasNoVisitorID: Bool {
        // A withheld property may have the same name as the visitor's id.
        buckets != nil || withheld.contains(LoggedMember.visitorID.rawValue)
    }

    /// The number of decisions that a replay compares.
    package var comparedCount: Int { features.count + (call.asksForFeatures ? 0 : decisions.count) }

    /// Creates a line.
    public init(visitor: PopulationVisitor, decisions: JSObject) {
        self.visitor = visitor
        self.decisions = decisions
    }

    /// Reads a line from the UTF-8 in `line`, without its line end.
    package init(line: Data) throws(PopulationVisitorError) {
        self = try line.withElements { (bytes) throws(PopulationVisitorError) in try LoggedDecisions(json: bytes) }
    }

    /// Reads a line from UTF-8. Other members, such as `time` and `reasons`, are ignored.
    package init(json: ByteText) throws(PopulationVisitorError) {
        do throws(PopulationVisitorError) {
            try self.init(bare: json)
        } catch {
            throw PopulationVisitorError(wrappingOf: json) ?? error
        }
    }

    fileprivate init(bare json: ByteText) throws(PopulationVisitorError) {
        self.init(visitor: PopulationVisitor(visitorID: ""), decisions: [:])
        var line = self
        var hasDecisions = false
        let visitor = try PopulationVisitor(json: json, by: .members) {
            name, value throws(PopulationVisitorError) in
            guard let member = LoggedMember(rawValue: name) else { return false }
            hasDecisions = hasDecisions || member == .decisions
            return try line.take(member, value)
        }
        guard hasDecisions || line.call.asksForFeatures || !line.features.isEmpty else {
            throw .wrong(
                "decisions", "it is missing; write the log with 'assign --echo', or with an SDK's decision log.")
        }
        line.visitor = visitor
        self = line
    }

    /// Reads a member. Returns `false` for a member of the visitor.
    private mutating func take(_ member: LoggedMember, _ value: JSONCursor) throws(PopulationVisitorError) -> Bool {
        switch member {
        case .decisions:
            let expected = "expected an object of variations by experience, each a text or null."
            decisions = try Self.object(member, value, expected)
            guard decisions.members.allSatisfy({ $0.value.isNull || $0.value.stringValue != nil }) else {
                throw .wrong(member.rawValue, expected)
            }
        case .features: features = try Self.object(member, value, "expected an object of features by key.")
        case .config: configRevision = try Self.text(member, value)
        case .environment: environment = try Self.text(member, value)
        case .withheld:
            guard let names = value.value.arrayValue else { throw .wrong(member.rawValue, "expected a list of names.") }
            withheld = names.compactMap(\.stringValue)
        case .call:
            guard let call = LoggedCall(json: try Self.object(member, value, "expected an object.")) else {
                throw .wrong(member.rawValue, Self.unknownForm)
            }
            self.call = call
        case .options:
            guard let options = CompilationOptions(json: try Self.object(member, value, "expected an object.")) else {
                throw .wrong(member.rawValue, Self.unknownForm)
            }
            compilation = options
        case .buckets: buckets = try Self.object(member, value, "expected an object of bucket values by experience.")
        case .time: time = value.text
        case .reasons: reasons = value.value.objectValue
        case .visitorID, .attributes, .locationProperties, .stored: return false
        }
        return true
    }

    private static let unknownForm = "it has members that this version does not know; use a newer one."

    private static func object(
        _ member: LoggedMember, _ value: JSONCursor, _ expected: String
    ) throws(PopulationVisitorError) -> JSObject {
        guard value.isObject, let object = value.value.objectValue else { throw .wrong(member.rawValue, expected) }
        return object
    }

    private static func text(_ member: LoggedMember, _ value: JSONCursor) throws(PopulationVisitorError) -> String {
        guard let text = value.text else { throw .wrong(member.rawValue, "expected a text.") }
        return text
    }
}

extension LoggedCall {
    /// Whether the call asks for features rather than experiences.
    var asksForFeatures: Bool {
        switch question {
        case .feature, .features: true
        case .experiences, .allExperiences, .eachExperience, .experienceID: false
        }
    }

    /// The keys of the experiences whose features the call asks for; empty for all experiences.
    var experienceKeys: [String] { if case .feature(_, let keys) = question { keys } else { [] } }

    /// Whether one call asks for all experiences.
    var asksForAllExperiences: Bool { question == .allExperiences || question == .eachExperience }
}

extension PopulationVisitorError {
    fileprivate static func wrong(_ member: String, _ message: String) -> PopulationVisitorError {
        PopulationVisitorError(code: .wrongType, path: "$.\(member)", message: message)
    }
}

extension PopulationVisitorError {
    /// Creates the error for a line of a decision log that a logger has wrapped into another object; `nil` for any
    /// other line.
    fileprivate init?(wrappingOf json: ByteText) {
        func isLine(_ bytes: ByteText) -> Bool { (try? LoggedDecisions(bare: bytes)) != nil }
        let remedy: String
        if let document = try? ECMAScript.parseJSON(json), let members = document.withRoot({ $0.value.objectValue }) {
            let found = members.first { member in
                let text =
                    member.value.stringValue
                    ?? member.value.objectValue.map { ECMAScript.jsonText(keepingNumbersOf: .object($0)) } ?? ""
                return Array(text.utf8).withElements(isLine)
            }
            guard let found else { return nil }
            let raw = found.value.stringValue == nil ? "-c" : "-r"
            remedy =
                "the member '\(found.key.name.excerpt().onOneLine)' holds it; pass that on, such as with "
                + "jq \(raw) '.[\"\(found.key.name.excerpt().onOneLine)\"]'."
        } else {
            guard let start = json.firstIndex(of: UInt8(ascii: "{")), start > 0, isLine(json.slice(start..<json.count))
            else { return nil }
            remedy = "text stands before it; cut it off, such as with sed 's/^[^{]*//'."
        }
        self.init(code: .invalidSyntax, path: "$", message: "a line of a decision log is in this line: \(remedy)")
    }
}
