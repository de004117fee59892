internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Which decisions of a line may come from what the line withholds: those of experiences that read a withheld property,
/// and of experiences that ask about them. Pass the experiences in the order in which they are decided.
struct WithheldInfluence {
    private struct Name {
        let text: String
        let keys: [PropertyKey]

        init(_ text: String) {
            self.text = text
            keys = WithheldInfluence.keys(of: text)
        }
    }

    /// What rules may call the property with the path `name`: it, or a part of it that begins with it and ends before a
    /// dot, in lowercase.
    static func keys(of name: String) -> [PropertyKey] {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.indices.map { PropertyKey(parts[...$0].joined(separator: ".")).lowercase }
    }

    /// Whether `name` is also that of something else that lines withhold than a property.
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
    /// The experiences of which it is not known whether the visitor is in them, with what withholds it.
    private var open: [PropertyKey: [String]] = [:]

    init(_ line: LoggedDecisions, _ readers: PropertyReaders) {
        self.line = line
        self.readers = readers
        names = line.withheld.map(Name.init)
        mayBeForced = line.withheld.contains(Self.forcedVariations)
    }

    /// The names that may have decided the experience at `place`, which is `nil` for one that the config does not have.
    ///
    /// - Parameters:
    ///   - decision: what is decided without them.
    ///   - logged: what the line has.
    ///   - visitorID: the id that was decided for.
    ///   - state: what was stored of the visitor then.
    mutating func names(
        deciding place: Int?, _ decision: Decision, logged: JSValue?, for visitorID: String, storing state: VisitorState
    ) -> [String] {
        guard let place, !names.isEmpty || !open.isEmpty else { return [] }
        let reader = readers.experiences[place]
        let isKept = readers.keeps(line.visitor.stored, at: place)
        // One audience that keeps the visitor out is enough, whatever the others read.
        let isKeptOut = reader.gates.contains { gate in
            !(gate.isPermanent && isKept) && open[gate.id] == nil
                && (state.bucketing?[gate.id]?.isTruthy ?? false) == gate.keepsOut
        }
        // A forced variation passes no gate.
        if isKeptOut, !mayBeForced { return [] }
        // With two experiences of one id each may have stored the decision of the other.
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
        // A withheld property opens or closes gates. Behind them there is one variation, or none.
        let lacksVariationAnyway = decision.reason?.isOfEveryVisitorWithThisID ?? false && !dependsOnUnknownID(decision)
        let isAnotherAnyway =
            logged?.stringValue.map { logged in
                decision.variation != nil && !dependsOnUnknownID(decision) || !mayGet(logged, at: place, visitorID)
            } ?? false
        let isKnown = lacksVariationAnyway || isAnotherAnyway
        // What may be as logged is taken to be so.
        let isSettled = logged != nil && !isKnown
        if !isSettled, !lacksVariationAnyway || decision.reason == .variationNotFound { leaveOpen(place, unique) }
        return isKnown ? [] : unique
    }

    /// Whether another bucket value, which the visitor may have had, may give another decision.
    private func dependsOnUnknownID(_ decision: Decision) -> Bool {
        guard line.hasNoVisitorID, line.buckets == nil else { return false }
        return decision.variation.map { $0.source != .stored } ?? decision.reason?.isBehindTheGates ?? false
    }

    /// Whether a visitor who passes the gates of the experience at `place` may get the variation called `name`.
    private func mayGet(_ name: String, at place: Int, _ visitorID: String) -> Bool {
        let experience = readers.config.experiences[place]
        let options = line.call.options
        if options.forcedVariation != nil || options.forcedVariationID != nil { return true }
        if readers.config.experiences.count(where: { $0.id.key == experience.id.key }) > 1 { return true }
        func hasName(_ variation: Int) -> Bool { experience.variations[variation].answer == PropertyKey(name) }
        if line.hasNoVisitorID, line.buckets == nil { return experience.variations.indices.contains(where: hasName) }
        return variationBehindTheGates(ofPlace: place, for: visitorID).map(hasName) ?? false
    }

    /// The variation that a visitor gets who passes the gates of the experience at `place`.
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

    /// Notes that it is not known whether the visitor is in the experience at `place` from now on.
    mutating func leaveOpen(_ place: Int, _ names: [String] = [LoggedMember.visitorID.rawValue]) {
        let id = readers.experiences[place].id
        // Another decision does not change that one is stored.
        let isStored = line.visitor.stored.bucketing?[id]?.isTruthy ?? false
        if line.call.isStorageEnabled, !isStored { open[id] = names }
    }
}

extension Decision.Reason {
    /// Whether it holds whatever properties the visitor has.
    fileprivate var isOfEveryVisitorWithThisID: Bool {
        switch self {
        case .unknownExperience, .archived, .otherEnvironment, .noVariations, .notBucketed, .variationNotFound: true
        default: false
        }
    }
}
