import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Testing

/// Three voices on every question: the engine, its explanation, and an evaluator that reads the config naively.
struct ThreeVoicesTests {
    private static let slices = 2

    @Test(arguments: 0..<slices) func theEngineTheExplanationAndTheDefinitionAgree(slice: Int) throws {
        var outcomes: [String: Int] = [:]
        for seed in stride(from: slice, to: caseCount(1_600, plain: 800), by: Self.slices) {
            try play(RandomSession(seed: seed), "seed \(seed)", &outcomes)
        }
        // Every way in which a decision can end must have occurred.
        let missing = Self.expected.filter { outcomes[$0] == nil }
        #expect(missing.isEmpty, "\(outcomes)")
    }

    private static let expected = [
        "missingVisitorID", "unknownExperience", "archived", "otherEnvironment", "missingLocationProperties",
        "locationNotMatched", "audienceNotMatched", "segmentNotMatched", "noVariations", "notBucketed",
        "variationNotFound",
        "malformedRules", "missingSettings", "bucketed", "stored", "forced", "preview",
        "enabled", "disabled",
    ]

    private func play(_ session: RandomSession, _ label: Comment, _ outcomes: inout [String: Int]) throws {
        var session = session
        let manager = try ExperienceManager(
            session.config, session.semantics, keysAreCaseSensitive: session.keysAreCaseSensitive)
        let naive = NaiveEngine(
            config: session.config, semantics: session.semantics, keysAreCaseSensitive: session.keysAreCaseSensitive)
        var visitor = manager.visitor(
            id: session.visitorID, attributes: session.attributes, state: VisitorState(record: session.state))
        var definition = naive.visitor(id: session.visitorID, attributes: session.attributes, state: session.state)
        if let preview = session.preview,
            manager.setPreview(
                experienceID: preview.experience, variationID: preview.variation, for: &visitor)
        {
            definition.preview = preview
        }
        for _ in 0..<4 {
            let options = session.options()
            if session.random.happens(20) {
                let key = session.feature()
                let features = FeatureManager(experiences: manager)
                let found = key.map { features.feature($0, for: &visitor, options: options) }
                let answer = found ?? features.features(for: &visitor, options: options)
                #expect(FeaturesVoice(answer) == naive.features(key, &definition, options), label)
                outcomes[answer.features.contains { $0.status == .enabled } ? "enabled" : "disabled", default: 0] += 1
            } else if session.random.happens(30) {
                let answer = manager.selectVariations(for: &visitor, options: options)
                var voices = naive.decideAll(&definition, options)
                #expect(answer.effects == voices.flatMap(\.effects), label)
                for index in voices.indices { voices[index].effects = [] }
                #expect(answer.value.map { Voice($0) } == voices, label)
            } else {
                let (member, name) = session.question()
                let explanation = member == "key" ? manager.explain(name, for: visitor, options: options) : nil
                let answer =
                    member == "key"
                    ? manager.selectVariation(name, for: &visitor, options: options)
                    : manager.selectVariation(id: name, for: &visitor, options: options)
                let voice = Voice(answer.value, effects: answer.effects)
                #expect(voice == naive.decide(member, name, &definition, options), label)
                if let explanation {
                    #expect(explanation.reason == voice.reason, label)
                    #expect(explanation.source == voice.source, label)
                }
                outcomes[voice.reason.map { "\($0)" } ?? voice.source?.rawValue ?? "", default: 0] += 1
            }
            #expect(visitor.state.json == definition.state, label)
        }
    }
}
