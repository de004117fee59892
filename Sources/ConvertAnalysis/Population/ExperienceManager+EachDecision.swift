internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension ExperienceManager {
    /// Decides every experience in config order, each knowing the decisions before it, and passes what each came to to
    /// `body`, with the experience's place. Of several experiences with one key the first is decided for all.
    ///
    /// Under ``RuleSemantics/javaScript`` a call for all ends where the reference throws; those behind are asked for
    /// one by one, so that each has an answer of its own.
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
