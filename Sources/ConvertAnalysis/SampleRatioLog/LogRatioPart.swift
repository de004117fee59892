internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// What the lines of a part of a log say of the shares of variations, in order.
///
/// Lines have their texts and decisions in common arrays, because a line is read in less time than arrays of its own
/// take to be made.
struct LogRatioPart: Sendable {
    /// A variation that the visitor has.
    struct Decision: Sendable {
        let experience: Int
        let arm: Int
        /// What the line's config allocates; empty if the visitor had the variation before.
        let shares: [Double]
    }

    /// A line.
    struct Line: Sendable {
        /// The hash of the visitor's id.
        let visitor: UInt64
        /// The number of the line's config among those that are given.
        let config: Int
        /// The first ten characters of the time.
        let day: String
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
    /// Number of variations that the config does not have.
    private(set) var unknownCount = 0
    /// Number of lines without the visitor's id.
    var undecidableCount = 0
    /// Number of lines of visitors who have the attribute.
    var attributeCount = 0
    var tally = AssignmentTally()
    private var texts: [UInt8] = []
    private var openUnknownCount = 0

    /// The id of a line's visitor.
    func visitorID(of line: Line) -> String { String(decoding: texts[line.visitorID], as: UTF8.self) }

    /// The time of a line; `nil` if it has none.
    func time(of line: Line) -> String? {
        line.time.isEmpty ? nil : String(decoding: texts[line.time], as: UTF8.self)
    }

    /// Appends a decision of the line that ``endLine(_:config:time:day:segment:)`` completes.
    mutating func append(_ decision: Decision) { decisions.append(decision) }

    /// Notes that the line has a variation that its config does not have.
    mutating func appendUnknown() { openUnknownCount += 1 }

    /// Completes a line.
    mutating func endLine(
        _ visitorID: ByteText, config: Int, time: ByteText, day: String,
        segment: String
    ) {
        let start = texts.count
        texts.append(contentsOf: visitorID)
        let middle = texts.count
        texts.append(contentsOf: time)
        lines.append(
            Line(
                visitor: FNV1a.hash(visitorID), config: config, day: day, segment: segment,
                decisions: decisionEnd..<decisions.count, visitorID: start..<middle, time: middle..<texts.count))
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
        _ line: LoggedDecisions, _ config: Int, _ table: LogAllocations.Table, _ attribute: PropertyKey?
    ) {
        // A visitor with a forced variation was not dealt one.
        if !line.call.isForced { for member in line.decisions { append(member, of: line, table) } }
        let (visitorID, time) = (line.visitor.visitorID, line.time ?? "")
        let day = String(time.prefix(10))
        let value = attribute.flatMap { line.visitor.attributes[$0] }
        if value != nil { attributeCount += 1 }
        let segment = attribute.map { _ in Self.segment(value) } ?? ""
        visitorID.withUTF8Bytes { visitorID in
            time.withUTF8Bytes { endLine(visitorID, config: config, time: $0, day: day, segment: segment) }
        }
    }

    private mutating func append(_ member: JSObject.Member, of line: LoggedDecisions, _ table: LogAllocations.Table) {
        guard let name = member.value.stringValue else { return }
        let byID = line.call.question == .experienceID
        guard let allocation = byID ? table.byID[member.key] : table.byKey[member.key],
            let arm = allocation.arms[PropertyKey(name)]
        else { return appendUnknown() }
        let reason = line.reasons?[member.key]?.stringValue
        if reason == BucketedVariation.Source.preview.rawValue || reason == BucketedVariation.Source.forced.rawValue {
            return
        }
        let isStored = line.visitor.stored.bucketing?[allocation.experienceID].map { !$0.isNull } ?? false
        let isNew = reason.map { $0 == BucketedVariation.Source.bucketed.rawValue } ?? !isStored
        append(
            Decision(experience: allocation.experience, arm: arm, shares: isNew ? allocation.shares : []))
    }

    /// The name of the visitors whose attribute has `value`.
    static func segment(_ value: JSValue?) -> String {
        value.map { $0.stringValue ?? ECMAScript.jsonText(of: $0) } ?? "(none)"
    }
}

extension LoggedCall {
    /// Whether the call names the variation.
    var isForced: Bool { forcedVariation != nil || forcedVariationID != nil }
}
