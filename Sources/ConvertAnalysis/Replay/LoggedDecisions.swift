public import ConvertECMAScript
package import ConvertSwiftSDK
package import ConvertSwiftSDKCore
package import Foundation

/// A line of a decision log: a visitor and what was decided.
///
/// It is the visitor's own line with more members. `convert-sdk assign --echo` writes it:
///
///     {"visitorId":"v-1","attributes":{"plan":"pro"},"environment":"staging","call":{"each":true},"decisions":{"a":"x","b":null}}
///
/// and so does an SDK's `DecisionLog`. The line says with which config it was decided, and how. Where one call asked
/// for all experiences (`call` has `all` or `each`) a replay decides them in the order of its own config; else one by
/// one in that of ``decisions``.
public struct LoggedDecisions: Sendable, Equatable {
    /// Everything that the decisions depended on.
    public var visitor: PopulationVisitor

    /// For each experience, by key and in the order in which they were decided, the key of the variation (or its id, if
    /// it has no key), or `null`.
    public var decisions: JSObject

    /// For each feature that was asked for `null` if it is off, else a list with an entry for each experience that
    /// carries it. In a line with ``decisions`` it is what a call for all features gets of the same visitor.
    public var features: JSObject = [:]

    /// The revision of the config that decided; `nil` if the line does not say it.
    public var configRevision: String?

    /// The environment in which it was decided; `nil` if the line does not say it.
    public var environment: String?

    /// Names of what decided and was left out, such as redacted properties.
    public var withheld: [String] = []

    /// What was asked, and how.
    package var call = LoggedCall()

    /// When it was decided, as the line has it; `nil` if it does not say it.
    package var time: String?

    /// The number of the line in the log, from 1, with blank ones; `nil` if it was not read from one.
    package var number: Int?

    /// Where each variation came from, or why there is no variation, by experience; `nil` if the line does not say it.
    package var reasons: JSObject?

    /// How the config was compiled.
    package var compilation = CompilationOptions()

    /// Bucket values by experience, where the visitor's id is not the one that was decided for.
    package var buckets: JSObject?

    /// Whether the line does not have the visitor's own id.
    package var hasNoVisitorID: Bool {
        // A property that was left out may have the name that stands for the id.
        buckets != nil || withheld.contains(LoggedMember.visitorID.rawValue)
    }

    /// Number of decisions that a replay compares.
    package var comparedCount: Int { features.count + (call.asksForFeatures ? 0 : decisions.count) }

    /// A line.
    public init(visitor: PopulationVisitor, decisions: JSObject) {
        self.visitor = visitor
        self.decisions = decisions
    }

    /// Reads a line from the UTF-8 in `line`, without its end.
    package init(line: Data) throws(PopulationVisitorError) {
        self = try line.withElements { (bytes) throws(PopulationVisitorError) in try LoggedDecisions(json: bytes) }
    }

    /// Reads a line from UTF-8. Members that a line has besides, such as `time` and `reasons`, are passed over.
    package init(json: ByteText) throws(PopulationVisitorError) {
        do throws(PopulationVisitorError) {
            try self.init(bare: json)
        } catch {
            throw PopulationVisitorError(wrappingOf: json) ?? error
        }
    }

    fileprivate init(bare json: ByteText) throws(PopulationVisitorError) {
        var members = Members()
        let visitor = try PopulationVisitor(json: json, by: .members) {
            name, value throws(PopulationVisitorError) in try members.take(name, value)
        }
        let mayLackDecisions = members.call.asksForFeatures || !members.features.isEmpty
        guard let decisions = members.decisions ?? (mayLackDecisions ? [:] : nil) else {
            throw .wrong(
                "decisions", "it is missing; write the log with 'assign --echo', or with an SDK's decision log.")
        }
        self.init(visitor: visitor, decisions: decisions)
        features = members.features
        configRevision = members.configRevision
        environment = members.environment
        withheld = members.withheld
        call = members.call
        compilation = members.compilation
        buckets = members.buckets
        time = members.time
        reasons = members.reasons
    }

    /// The members of a line beyond those of a visitor.
    private struct Members {
        var decisions: JSObject?
        var features: JSObject = [:]
        var configRevision: String?
        var environment: String?
        var withheld: [String] = []
        var call = LoggedCall()
        var compilation = CompilationOptions()
        var buckets: JSObject?
        var time: String?
        var reasons: JSObject?

        /// Takes a member; returns whether lines have it.
        mutating func take(_ name: String, _ value: JSONCursor) throws(PopulationVisitorError) -> Bool {
            switch LoggedMember(rawValue: name) {
            case .decisions:
                let object = try Self.object(
                    name, value, "expected an object of variations by experience, each a text or null.")
                guard object.members.allSatisfy({ $0.value.isNull || $0.value.stringValue != nil }) else {
                    throw .wrong(name, "expected an object of variations by experience, each a text or null.")
                }
                decisions = object
            case .features: features = try Self.object(name, value, "expected an object of features by key.")
            case .config: configRevision = try Self.text(name, value)
            case .environment: environment = try Self.text(name, value)
            case .withheld:
                guard let names = value.value.arrayValue else { throw .wrong(name, "expected a list of names.") }
                withheld = names.compactMap(\.stringValue)
            case .call:
                guard let call = LoggedCall(json: try Self.object(name, value, "expected an object.")) else {
                    throw .wrong(name, "it has members that this version does not know; use a newer one.")
                }
                self.call = call
            case .options:
                guard let options = CompilationOptions(json: try Self.object(name, value, "expected an object.")) else {
                    throw .wrong(name, "it has members that this version does not know; use a newer one.")
                }
                compilation = options
            case .buckets: buckets = try Self.object(name, value, "expected an object of bucket values by experience.")
            case .time: time = value.text
            case .reasons: reasons = value.value.objectValue
            case .visitorID, .attributes, .locationProperties, .stored, nil: return false
            }
            return true
        }

        private static func object(
            _ name: String, _ value: JSONCursor, _ expected: String
        ) throws(PopulationVisitorError) -> JSObject {
            guard value.isObject, let object = value.value.objectValue else { throw .wrong(name, expected) }
            return object
        }

        private static func text(_ name: String, _ value: JSONCursor) throws(PopulationVisitorError) -> String {
            guard let text = value.text else { throw .wrong(name, "expected a text.") }
            return text
        }
    }
}

extension LoggedCall {
    /// Whether features are asked for, and no experiences.
    var asksForFeatures: Bool {
        switch question {
        case .feature, .features: true
        case .experiences, .allExperiences, .eachExperience, .experienceID: false
        }
    }

    /// Whether all experiences are asked for at once.
    var asksForAllExperiences: Bool { question == .allExperiences || question == .eachExperience }
}

extension PopulationVisitorError {
    fileprivate static func wrong(_ member: String, _ message: String) -> PopulationVisitorError {
        PopulationVisitorError(code: .wrongType, path: "$.\(member)", message: message)
    }
}

extension PopulationVisitorError {
    /// What to do with a line of a decision log that a logger has put into something else; `nil` for another line.
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
