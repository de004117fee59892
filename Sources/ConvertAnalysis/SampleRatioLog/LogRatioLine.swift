internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// What a line of a log says of the shares of variations.
struct LogRatioLine: Sendable {
    /// A variation that the visitor has.
    struct Decision: Sendable {
        let experience: Int
        let arm: Int
        /// What the line's config allocates; empty if the visitor had the variation before.
        let shares: [Double]
    }

    let visitorID: String
    /// The hash of the visitor's id.
    let visitorHash: FNV1a
    /// The number of the line's config among those that are given.
    let config: Int
    /// The first ten characters of the time.
    let day: String
    let time: String
    /// The value of the attribute that visitors are told apart by.
    let segment: String
    var decisions: [Decision] = []
    /// Number of variations that the config does not have.
    var unknownCount = 0

    /// A line without decisions.
    init(visitorID: String, config: Int, day: String, time: String, segment: String) {
        self.visitorID = visitorID
        var hash = FNV1a()
        hash.combine(visitorID)
        visitorHash = hash
        self.config = config
        self.day = day
        self.time = time
        self.segment = segment
    }

    /// - Parameters:
    ///   - line: the line.
    ///   - config: the number of its config.
    ///   - table: what that allocates.
    ///   - attribute: the attribute that visitors are told apart by, if there is one.
    init(_ line: LoggedDecisions, _ config: Int, _ table: LogAllocations.Table, _ attribute: PropertyKey?) {
        let time = line.time ?? ""
        self.init(
            visitorID: line.visitor.visitorID, config: config, day: String(time.prefix(10)), time: time,
            segment: attribute.map { Self.segment(line.visitor.attributes[$0]) } ?? "")
        // A visitor with a forced variation was not dealt one.
        if line.call.isForced { return }
        let byID = line.call.question == .experienceID
        for member in line.decisions {
            guard let name = member.value.stringValue else { continue }
            guard let allocation = byID ? table.byID[member.key] : table.byKey[member.key],
                let arm = allocation.arms[PropertyKey(name)]
            else {
                unknownCount += 1
                continue
            }
            let reason = line.reasons?[member.key]?.stringValue
            if reason == BucketedVariation.Source.preview.rawValue || reason == BucketedVariation.Source.forced.rawValue
            {
                continue
            }
            let isStored = line.visitor.stored.bucketing?[allocation.experienceID].map { !$0.isNull } ?? false
            let isNew = reason.map { $0 == BucketedVariation.Source.bucketed.rawValue } ?? !isStored
            decisions.append(
                Decision(experience: allocation.experience, arm: arm, shares: isNew ? allocation.shares : []))
        }
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
