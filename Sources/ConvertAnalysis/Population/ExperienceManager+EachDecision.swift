internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension ExperienceManager {
    /// Decides every experience in config order. Each decision takes the earlier ones into account. Passes each
    /// conclusion to `body`, with the experience's index. If several experiences have one key, the first one's decision
    /// counts for all.
    ///
    /// Under ``RuleSemantics/javaScript`` a call for all experiences ends where the reference throws. The remaining
    /// experiences are then decided one by one, so that each has an answer.
    func concludeEach(for visitor: inout Visitor, options: DecisionOptions, _ body: (Int, Conclusion) -> Void) {
        var index = 0
        forEachConclusion(for: &visitor, options: options) { conclusion in
            body(index, conclusion)
            index += 1
        }
        for place in project.config.experiences.indices[index...] {
            let key = project.config.experiences[place].entityKey.lookUp
            guard project.experience(key: key) == place else { continue }
            body(place, conclude(place, for: &visitor, options: options).value)
        }
    }
}
