internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// The decisions in the lines of a part of a log, in order.
///
/// All lines share arrays for their texts and decisions, because allocating arrays for each line takes longer than
/// reading it.
struct LogRatioPart: Sendable {
    /// A decision in a line for one experience. It consists of numbers alone, which are copied without counting
    /// references (workload `srm`).
    struct Decision: Sendable {
        let experience: Int
        let outcome: Outcome
        /// The index of the variation; only valid if the config contains it.
        let arm: Int
        /// The number of the allocation of the line's config.
        let allocation: Int
        /// Whether the variation comes from an answer about features.
        let isOfFeature: Bool
    }

    /// The kind of a visitor's decision in an experience.
    enum Outcome: Sendable {
        /// A newly assigned variation.
        case dealt
        /// A variation that the visitor had before.
        case stored
        /// A variation that the call or a preview named.
        case forced
        /// No variation, perhaps because of the bucket value.
        case none
        /// No variation, because the visitor did not meet the entry conditions.
        case ineligible
        /// A variation that the config contains and gives to no visitor. The visitor may have had it before.
        case unallocated
        /// A variation that the config does not contain.
        case unknown
        /// An answer about features that may come from several variations.
        case untold

        /// Creates the kind of a decision with a variation.
        ///
        /// - Parameters:
        ///   - isForced: whether the call names the variation.
        ///   - source: the variation's source; `nil` if the line has none.
        ///   - isStored: whether the line's visitor had a variation before.
        init(isForced: Bool, source: BucketedVariation.Source?, isStored: @autoclosure () -> Bool) {
            switch source {
            case _ where isForced, .forced, .preview: self = .forced
            case .bucketed: self = .dealt
            case .stored: self = .stored
            case nil: self = isStored() ? .stored : .dealt
            }
        }
    }

    /// A line without its decisions.
    struct Line: Sendable {
        /// The hash of the visitor's id.
        let visitor: UInt64
        /// The index of the line's config.
        let config: Int
        /// The day in UTC; empty if the line has no valid time.
        let day: String
        /// The seconds since 1970; `nil` if the line has no valid time.
        let seconds: Int?
        /// The value of the attribute that separates visitors.
        let segment: String
        /// The range of its decisions in the part's decisions.
        let decisions: Range<Int>
        /// Whether a pseudonym replaces the visitor's id.
        let hasPseudonym: Bool
        /// The ranges of the visitor's id and the time in the texts of the part.
        fileprivate let visitorID: Range<Int>
        fileprivate let time: Range<Int>
    }

    private(set) var lines: [Line] = []
    /// The decisions of all complete lines, then the decisions of the current line.
    private(set) var decisions: [Decision] = []
    /// The number of variations of experiences that the config does not contain.
    private(set) var unknownCount = 0
    /// The numbers of lines that name an unavailable config, by its digest; the key `nil` is for lines that name no
    /// config.
    var unknownConfigs: [String?: Int] = [:]
    /// The number of lines whose visitor has the attribute.
    var attributeCount = 0
    /// The number of lines that withhold the attribute.
    private(set) var withholdingCount = 0
    var tally = RecordTally()
    var environments = LogEnvironments()
    private var texts: [UInt8] = []
    private var clock = LogClock()
    private var openUnknownCount = 0

    /// The id of a line's visitor.
    func visitorID(of line: Line) -> String { String(decoding: texts[line.visitorID], as: UTF8.self) }

    /// The time of a line; `nil` if the line has no time.
    func time(of line: Line) -> String? {
        line.time.isEmpty ? nil : String(decoding: texts[line.time], as: UTF8.self)
    }

    /// Appends a decision of the line that ``endLine(_:hasPseudonym:config:time:segment:)`` completes.
    ///
    /// - Parameters:
    ///   - outcome: the kind of the decision.
    ///   - arm: the variation; `nil` if the config does not contain it.
    ///   - allocation: the config's allocation; `nil` if the config does not contain the experience.
    ///   - isOfFeature: whether the variation comes from an answer about features.
    mutating func append(
        _ outcome: Outcome, _ arm: LogAllocations.Arm? = nil, of allocation: LogAllocations.Reference?,
        isOfFeature: Bool = false
    ) {
        let isVariation = outcome == .dealt || outcome == .stored
        guard let allocation else {
            if isVariation { openUnknownCount += 1 }
            return
        }
        var outcome = outcome
        if isVariation {
            guard let arm else { return append(.unknown, of: allocation, isOfFeature: isOfFeature) }
            if outcome == .dealt, !arm.takesTraffic { outcome = .unallocated }
        }
        decisions.append(
            Decision(
                experience: allocation.experience, outcome: outcome, arm: arm?.number ?? 0,
                allocation: allocation.number, isOfFeature: isOfFeature))
    }

    /// Completes the current line.
    mutating func endLine(
        _ visitorID: ByteText, hasPseudonym: Bool, config: Int, time text: ByteText, segment: String
    ) {
        let time = clock.time(text)
        let start = texts.count
        texts.append(contentsOf: visitorID)
        let middle = texts.count
        texts.append(contentsOf: text)
        lines.append(
            Line(
                visitor: FNV1a.hash(visitorID), config: config, day: time?.day ?? "", seconds: time?.seconds,
                segment: segment, decisions: decisionEnd..<decisions.count, hasPseudonym: hasPseudonym,
                visitorID: start..<middle, time: middle..<texts.count))
        unknownCount += openUnknownCount
        openUnknownCount = 0
    }

    /// Removes the decisions of the current line.
    mutating func dropLine() {
        decisions.removeSubrange(decisionEnd...)
        openUnknownCount = 0
    }

    private var decisionEnd: Int { lines.last?.decisions.upperBound ?? 0 }

    /// Appends a line.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - config: the index of its config.
    ///   - table: the allocations of its config.
    ///   - attribute: the attribute that separates visitors, if there is one.
    mutating func append(
        _ line: LoggedDecisions, _ config: Int, _ table: LogAllocations.Table, _ attribute: String?
    ) {
        for member in line.decisions { append(member, of: line, table) }
        // In a line with decisions, features would repeat the same facts.
        let features = line.call.asksForFeatures ? line.features : JSObject()
        for told in table.carried?.decisions(in: features) ?? [] {
            append(told) { line.hasStored($0) }
        }
        (line.environment ?? "").withUTF8Bytes { environments.add($0, config: config) }
        let (visitorID, time) = (line.visitor.visitorID, line.time ?? "")
        let segment = attribute.map { self.segment(of: line, by: $0) } ?? ""
        visitorID.withUTF8Bytes { visitorID in
            time.withUTF8Bytes {
                endLine(
                    visitorID, hasPseudonym: line.buckets != nil, config: config, time: $0, segment: segment)
            }
        }
    }

    /// Appends the decision behind an answer about features.
    mutating func append(_ told: CarriedFeatures.Told, isStored: (PropertyKey) -> Bool) {
        guard let decision = isStored(told.allocation.experienceID) ? told.stored : told.dealt else { return }
        append(decision.outcome, decision.arm, of: told.allocation.reference, isOfFeature: true)
    }

    private mutating func segment(of line: LoggedDecisions, by attribute: String) -> String {
        let (value, isWithheld) = line.property(attribute)
        if value != nil {
            attributeCount += 1
        } else if isWithheld {
            withholdingCount += 1
            return "(withheld)"
        }
        return Self.segment(value)
    }

    private mutating func append(_ member: JSObject.Member, of line: LoggedDecisions, _ table: LogAllocations.Table) {
        let byID = line.call.question == .experienceID
        let allocation = byID ? table.byID[member.key] : table.byKey[member.key]
        let reason = line.reasons?[member.key]?.stringValue
        guard let name = member.value.stringValue else {
            let outcome = reason?.withUTF8Bytes { Outcome(withoutVariationBecause: $0) }
            return append(outcome ?? .none, of: allocation?.reference)
        }
        let source = reason.map { BucketedVariation.Source(rawValue: $0) ?? .stored }
        let outcome = Outcome(
            isForced: line.call.isForced, source: source,
            isStored: allocation.map { line.hasStored($0.experienceID) } ?? false)
        append(outcome, allocation?.arms[PropertyKey(name)], of: allocation?.reference)
    }

    /// The segment's name for an attribute's value.
    static func segment(_ value: JSValue?) -> String {
        value.map { $0.stringValue ?? ECMAScript.jsonText(of: $0) } ?? "(none)"
    }
}

extension LogRatioPart.Outcome {
    /// The kind of a decision without a variation for this reason.
    init(withoutVariationBecause reason: ByteText) {
        self = reason.hasBytes(of: "notBucketed") || reason.hasBytes(of: "variationNotFound") ? .none : .ineligible
    }
}

extension LoggedDecisions {
    /// The value of an attribute, given by its name or by the path of one of its members. After `locationProperties.`,
    /// the value of a location property. Also returns whether the line may withhold it.
    fileprivate func property(_ name: String) -> (value: JSValue?, isWithheld: Bool) {
        let scope = "locationProperties."
        let isLocation = name.hasPrefix(scope)
        let path = isLocation ? String(name.dropFirst(scope.count)) : name
        let properties = isLocation ? visitor.locationProperties ?? JSObject() : visitor.attributes
        let value =
            properties[path]
            ?? path.split(separator: ".", omittingEmptySubsequences: false)
            .reduce(Optional(JSValue.object(properties))) { $0?.objectValue?[String($1)] }
        let isWithheld = withheld.contains { $0 == path || $0.hasPrefix(path + ".") || path.hasPrefix($0 + ".") }
        return (value, isWithheld)
    }

    /// Whether the visitor had a variation of the experience before.
    fileprivate func hasStored(_ experienceID: PropertyKey) -> Bool {
        visitor.stored.bucketing?[experienceID].map { !$0.isNull } ?? false
    }
}

extension LoggedCall {
    /// Whether the call names a variation.
    var isForced: Bool { forcedVariation != nil || forcedVariationID != nil }
}
