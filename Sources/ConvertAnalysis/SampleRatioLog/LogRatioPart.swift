internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// What the lines of a part of a log say of the shares of variations, in order.
///
/// Lines have their texts and decisions in common arrays, because a line is read in less time than arrays of its own
/// take to be made.
struct LogRatioPart: Sendable {
    /// What a line says of an experience.
    struct Decision: Sendable {
        let experience: Int
        let outcome: Outcome
        /// The variation, if it is one of the config.
        let arm: Int
        /// What the line's config allocates, if it dealt the variation; else empty.
        let shares: [Double]
        /// The number of that allocation.
        let allocation: Int
        /// Whether an answer about features tells it.
        let isOfFeature: Bool
    }

    /// What became of a visitor in an experience.
    enum Outcome: Sendable {
        /// The visitor was dealt a variation.
        case dealt
        /// The visitor had the variation before.
        case stored
        /// The call or a preview named the variation.
        case forced
        /// There is no variation.
        case none
        /// The config does not have the variation, or gives none to anybody.
        case unknown
        /// An answer about features that several variations give.
        case untold

        /// What became of a visitor who has a variation.
        ///
        /// - Parameters:
        ///   - isForced: whether the call names the variation.
        ///   - source: where the line says that it came from; `nil` if it does not say it.
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

    /// A line.
    struct Line: Sendable {
        /// The hash of the visitor's id.
        let visitor: UInt64
        /// The number of the line's config among those that are given.
        let config: Int
        /// The day in UTC; empty without a usable time.
        let day: String
        /// The seconds since 1970; `nil` without a usable time.
        let seconds: Int?
        /// The value of the attribute that visitors are told apart by.
        let segment: String
        /// Where its decisions are among those of the part.
        let decisions: Range<Int>
        /// Where the visitor's id and the time are in the texts of the part.
        fileprivate let visitorID: Range<Int>
        fileprivate let time: Range<Int>
    }

    private(set) var lines: [Line] = []
    /// The decisions of all lines, and then those of one that is not complete.
    private(set) var decisions: [Decision] = []
    /// Number of variations of experiences that the config does not have.
    private(set) var unknownCount = 0
    /// For each config that is not given how many lines name it; `nil` for those that name none.
    var unknownConfigs: [String?: Int] = [:]
    /// Number of lines of visitors who have the attribute.
    var attributeCount = 0
    /// Number of lines that withhold the attribute.
    private(set) var withholdingCount = 0
    var tally = RecordTally()
    var environments = LogEnvironments()
    private var texts: [UInt8] = []
    private var openUnknownCount = 0

    /// The id of a line's visitor.
    func visitorID(of line: Line) -> String { String(decoding: texts[line.visitorID], as: UTF8.self) }

    /// The time of a line; `nil` if it has none.
    func time(of line: Line) -> String? {
        line.time.isEmpty ? nil : String(decoding: texts[line.time], as: UTF8.self)
    }

    /// Appends a decision of the line that ``endLine(_:config:time:segment:)`` completes.
    ///
    /// - Parameters:
    ///   - outcome: what became of the visitor.
    ///   - arm: the variation; `nil` for one that the config does not have.
    ///   - allocation: what the config allocates; `nil` for an experience that it does not have.
    ///   - isOfFeature: whether an answer about features tells it.
    mutating func append(
        _ outcome: Outcome, _ arm: Int? = nil, of allocation: LogAllocations.Allocation?, isOfFeature: Bool = false
    ) {
        let isVariation = outcome == .dealt || outcome == .stored
        guard let allocation else {
            if isVariation { openUnknownCount += 1 }
            return
        }
        let isKnown = arm != nil && (outcome == .stored || !allocation.shares.isEmpty)
        let outcome = isKnown || !isVariation ? outcome : .unknown
        decisions.append(
            Decision(
                experience: allocation.experience, outcome: outcome, arm: arm ?? 0,
                shares: outcome == .dealt ? allocation.shares : [], allocation: allocation.number,
                isOfFeature: isOfFeature))
    }

    /// Completes a line.
    mutating func endLine(_ visitorID: ByteText, config: Int, time text: ByteText, segment: String) {
        let time = LogTime(text)
        let start = texts.count
        texts.append(contentsOf: visitorID)
        let middle = texts.count
        texts.append(contentsOf: text)
        lines.append(
            Line(
                visitor: FNV1a.hash(visitorID), config: config, day: time?.day ?? "", seconds: time?.seconds,
                segment: segment, decisions: decisionEnd..<decisions.count, visitorID: start..<middle,
                time: middle..<texts.count))
        unknownCount += openUnknownCount
        openUnknownCount = 0
    }

    /// Forgets the decisions of a line that is not completed.
    mutating func dropLine() {
        decisions.removeSubrange(decisionEnd...)
        openUnknownCount = 0
    }

    private var decisionEnd: Int { lines.last?.decisions.upperBound ?? 0 }

    /// Appends a line.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - config: the number of its config.
    ///   - table: what that allocates.
    ///   - attribute: the attribute that visitors are told apart by, if there is one.
    mutating func append(
        _ line: LoggedDecisions, _ config: Int, _ table: LogAllocations.Table, _ attribute: String?
    ) {
        for member in line.decisions { append(member, of: line, table) }
        // Beside decisions they tell the same once more.
        let features = line.call.asksForFeatures ? line.features : JSObject()
        for told in table.carried?.variations(in: features) ?? [] {
            append(told) { line.hasStored($0) }
        }
        (line.environment ?? "").withUTF8Bytes { environments.add($0, config: config) }
        let (visitorID, time) = (line.visitor.visitorID, line.time ?? "")
        let segment = attribute.map { self.segment(of: line, by: $0) } ?? ""
        visitorID.withUTF8Bytes { visitorID in
            time.withUTF8Bytes { endLine(visitorID, config: config, time: $0, segment: segment) }
        }
    }

    /// Appends what an answer about features tells.
    mutating func append(_ told: CarriedFeatures.Told, isStored: (PropertyKey) -> Bool) {
        let isStored = isStored(told.allocation.experienceID)
        append(
            told.arm == nil ? .untold : isStored ? .stored : .dealt, told.arm, of: told.allocation, isOfFeature: true)
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
        guard let name = member.value.stringValue else { return append(.none, of: allocation) }
        let source = line.reasons?[member.key]?.stringValue.map { BucketedVariation.Source(rawValue: $0) ?? .stored }
        let outcome = Outcome(
            isForced: line.call.isForced, source: source,
            isStored: allocation.map { line.hasStored($0.experienceID) } ?? false)
        append(outcome, allocation?.arms[PropertyKey(name)], of: allocation)
    }

    /// The name of the visitors whose attribute has `value`.
    static func segment(_ value: JSValue?) -> String {
        value.map { $0.stringValue ?? ECMAScript.jsonText(of: $0) } ?? "(none)"
    }
}

extension LoggedDecisions {
    /// The value of the attribute with a name, or of the member of one that a path leads to; behind
    /// `locationProperties.` of a location property. Also whether the line may withhold it.
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
    /// Whether the call names the variation.
    var isForced: Bool { forcedVariation != nil || forcedVariationID != nil }
}
