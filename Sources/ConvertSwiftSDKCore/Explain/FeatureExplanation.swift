internal import ConvertECMAScript

/// Why a visitor has a feature or not: the experiences that carry it, in the order in which they are decided.
public struct FeatureExplanation: Sendable, Codable, Hashable {
    /// An experience that carries the feature.
    public struct Carrier: Sendable, Codable, Hashable {
        /// Keys, or else ids, of the variations that carry the feature.
        public let variations: [String]
        /// Whether the visitor sees a variation that carries the feature.
        public let carries: Bool
        /// Why the visitor sees or does not see a variation of the experience.
        public let explanation: Explanation
    }

    /// The key by which the feature was requested.
    public let featureKey: String
    /// The visitor's id.
    public let visitorID: String
    /// Whether the visitor has the feature.
    public let status: BucketedFeature.Status
    /// Why the visitor does not have the feature, or `nil` if the visitor has it.
    public let reason: BucketedFeature.DisabledReason?
    /// The experiences that carry the feature, in the order in which they are decided.
    public let carriers: [Carrier]
}

extension FeatureManager {
    /// Finds one feature and explains why the visitor has it or not. Nothing is stored, tracked or cached.
    package func explain(
        _ key: String, for visitor: borrowing Visitor, options: DecisionOptions = DecisionOptions()
    ) -> FeatureExplanation {
        var visitor = visitor.copy()
        visitor.adopt(experiences.project)
        let options = passedOn(options)
        var copy = visitor.copy()
        let found = feature(key, for: &copy, options: options).value
        var carriers: [FeatureExplanation.Carrier] = []
        if !visitor.id.isEmpty, let declared = experiences.project.feature(key: key) {
            let project = experiences.project
            for carrier in project.features.carriers[declared] {
                let experience = project.model(Int(carrier))
                let explanation = experiences.explain(experience.entityKey.lookUp.name, for: visitor, options: options)
                // Later experiences take this decision into account.
                let conclusion = experiences.conclude(
                    project.experience(key: experience.entityKey.lookUp), for: &visitor, options: options
                ).value
                let names = experience.variations.filter { $0.carries(project.config.features[declared]) }
                let variation = conclusion.selection.map {
                    project.model(project.experiences[$0.experience].idOwner).variations[$0.variation]
                }
                carriers.append(
                    FeatureExplanation.Carrier(
                        variations: names.map { $0.key ?? $0.id?.text ?? "" },
                        carries: variation?.carries(project.config.features[declared]) ?? false,
                        explanation: explanation))
            }
        }
        return FeatureExplanation(
            featureKey: key, visitorID: visitor.id, status: found.features.first?.status ?? .disabled,
            reason: found.features.first.map(\.disabledReason) ?? .notGiven, carriers: carriers)
    }
}

extension ProjectConfig.Variation {
    /// Whether the variation carries `feature`.
    fileprivate func carries(_ feature: ProjectConfig.Feature) -> Bool {
        changes.contains { change in
            change.type == "fullStackFeature"
                && EntityID(onWire: change.data?.objectValue?["feature_id"])
                    .map { $0.isTruthy && $0.key == feature.id.key } ?? false
        }
    }
}

extension FeatureExplanation: CustomStringConvertible, ExplanationTree {
    /// The explanation as a tree of lines, as `convert-sdk features --explain` prints it.
    public var description: String { tree }

    package var lines: [ExplanationLine] {
        let outcome = reason.map { "\(status.rawValue), \($0.rawValue)" } ?? status.rawValue
        return [ExplanationLine(0, .init(status == .enabled), "feature \(featureKey) for \(visitorID): \(outcome)")]
            + carriers.flatMap { carrier in
                [
                    ExplanationLine(
                        1, .init(carrier.carries), "carried by \(carrier.variations.joined(separator: ", ")) of")
                ] + carrier.explanation.lines.map { $0.indented(by: 2) }
            }
    }
}
