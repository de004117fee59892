internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Finds the decisions of a line that withheld data may affect: the decisions of experiences that read a withheld
/// property, and of experiences that ask about such an experience. Experiences must be passed in the order of their
/// decisions.
struct WithheldInfluence {
    private struct Name {
        let text: String
        let keys: [PropertyKey]

        init(_ text: String) {
            self.text = text
            keys = WithheldInfluence.keys(of: text)
        }
    }

    /// The names that rules may use for the property with the path `name`, in lower case: the path, or a part of it
    /// from its start to a dot.
    static func keys(of name: String) -> [PropertyKey] {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.indices.map { PropertyKey(parts[...$0].joined(separator: ".")).lowercase }
    }

    /// Whether `name` may also stand for withheld data that is not a property.
    static func isReserved(_ name: String) -> Bool {
        name == forcedVariations || name == LoggedMember.visitorID.rawValue
            || PropertyReaders.data.contains(PropertyKey(name).lowercase)
    }

    private static let forcedVariations = "forcedVariations"

    private let names: [Name]
    private let line: LoggedDecisions
    private let readers: PropertyReaders
    /// Whether any variation may have been forced.
    private let mayBeForced: Bool
    /// The experiences for which it is unknown whether the visitor is in them, with the names of the responsible data.
    private var open: [PropertyKey: [String]] = [:]

    init(_ line: LoggedDecisions, _ readers: PropertyReaders) {
        self.line = line
        self.readers = readers
        names = line.withheld.map(Name.init)
        mayBeForced = line.withheld.contains(Self.forcedVariations)
    }

    /// The names of withheld data that may have decided the experience at `place`, which is `nil` if the config does
    /// not contain the experience.
    ///
    /// - Parameters:
    ///   - decision: the decision without withheld data.
    ///   - logged: the logged answer.
    ///   - visitorID: the id in the decision.
    ///   - state: the visitor's stored state before the decision.
    mutating func names(
        deciding place: Int?, _ decision: Decision, logged: JSValue?, for visitorID: String, storing state: VisitorState
    ) -> [String] {
        guard let place, !names.isEmpty || !open.isEmpty else { return [] }
        let reader = readers.experiences[place]
        let isKept = readers.keeps(line.visitor.stored, at: place)
        // A single audience can keep the visitor out, whatever the others read.
        let isKeptOut = reader.gates.contains { gate in
            !(gate.isPermanent && isKept) && open[gate.id] == nil
                && (state.bucketing?[gate.id]?.isTruthy ?? false) == gate.keepsOut
        }
        // A forced variation ignores all entry conditions.
        if isKeptOut, !mayBeForced { return [] }
        // If two experiences have one id, each may have stored the decision of the other.
        let isShared = open[reader.id] != nil
        let found =
            names.filter { name in
                mayBeForced && name.text == Self.forcedVariations
                    || name.keys.contains { reader.names.contains($0) || !isKept && reader.namesAtEntry.contains($0) }
            }.map(\.text) + reader.questions.union([reader.id]).compactMap { open[$0] }.joined()
            + (dependsOnUnknownID(decision) ? [LoggedMember.visitorID.rawValue] : [])
        if found.isEmpty { return [] }
        var unique: [String] = []
        for name in found where !unique.contains(name) { unique.append(name) }
        if mayBeForced || isShared {
            leaveOpen(place, unique)
            return unique
        }
        // A withheld property decides whether the visitor enters. Visitors who enter all get the same variation, or
        // none.
        let lacksVariationAnyway = decision.reason?.isOfEveryVisitorWithThisID ?? false && !dependsOnUnknownID(decision)
        let isAnotherAnyway =
            logged?.stringValue.map { logged in
                decision.variation != nil && !dependsOnUnknownID(decision) || !mayGet(logged, at: place, visitorID)
            } ?? false
        let isKnown = lacksVariationAnyway || isAnotherAnyway
        // A possible logged answer counts as correct.
        let isSettled = logged != nil && !isKnown
        if !isSettled, !lacksVariationAnyway || decision.reason == .variationNotFound { leaveOpen(place, unique) }
        return isKnown ? [] : unique
    }

    /// Whether the visitor may have had another bucket value with another decision.
    private func dependsOnUnknownID(_ decision: Decision) -> Bool {
        guard line.hasNoVisitorID, line.buckets == nil else { return false }
        return decision.variation.map { $0.source != .stored } ?? decision.reason?.isBehindTheGates ?? false
    }

    /// Whether a visitor who enters the experience at `place` may get the variation called `name`.
    private func mayGet(_ name: String, at place: Int, _ visitorID: String) -> Bool {
        let experience = readers.config.experiences[place]
        let options = line.call.options
        if options.forcedVariation != nil || options.forcedVariationID != nil { return true }
        if readers.config.experiences.count(where: { $0.id.key == experience.id.key }) > 1 { return true }
        func hasName(_ variation: Int) -> Bool { experience.variations[variation].answer == PropertyKey(name) }
        if line.hasNoVisitorID, line.buckets == nil { return experience.variations.indices.contains(where: hasName) }
        return variationBehindTheGates(ofPlace: place, for: visitorID).map(hasName) ?? false
    }

    /// The variation of a visitor who enters the experience at `place`; `nil` if the visitor gets no variation.
    func variationBehindTheGates(ofPlace place: Int, for visitorID: String) -> Int? {
        let experience = readers.config.experiences[place]
        func variation(id: PropertyKey) -> Int? { experience.variation(id: id, under: readers.semantics) }
        let stored = line.visitor.stored.bucketing?[experience.id.key].flatMap {
            $0.isTruthy ? variation(id: ECMAScript.toPropertyKey($0)) : nil
        }
        if let stored { return stored }
        let value = BucketingManager(options: readers.bucketing)
            .bucketValue(visitorID: visitorID, experienceID: experience.id.text)
        let layout = BucketLayout(variations: experience.variations, version: experience.version)
        return layout.variation(for: Double(value)).flatMap { experience.variations[$0].id?.key }.flatMap(variation)
    }

    /// Records that from now on it is unknown whether the visitor is in the experience at `place`.
    mutating func leaveOpen(_ place: Int, _ names: [String] = [LoggedMember.visitorID.rawValue]) {
        let id = readers.experiences[place].id
        // With a stored decision, the visitor stays in the experience whatever is decided now.
        let isStored = line.visitor.stored.bucketing?[id]?.isTruthy ?? false
        if line.call.isStorageEnabled, !isStored { open[id] = names }
    }
}

extension Decision.Reason {
    /// Whether the reason applies whatever properties the visitor has.
    fileprivate var isOfEveryVisitorWithThisID: Bool {
        switch self {
        case .unknownExperience, .archived, .otherEnvironment, .noVariations, .notBucketed, .variationNotFound: true
        default: false
        }
    }
}
