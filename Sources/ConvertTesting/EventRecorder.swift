import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore

/// Records the events that an SDK would report, with keys in place of ids.
final class EventRecorder: TrackingSink {
    private let recorded = Mutex<[TrackedEvent]>([])
    private let mistakes = Mutex<Set<ForcingMistake>>([])

    var events: [TrackedEvent] { recorded.withLock { $0 } }

    func forget() { recorded.withLock { $0 = [] } }

    /// Marks a mistake as reported, because it was reported at the line of the test that made it.
    func note(_ mistake: ForcingMistake) { mistakes.withLock { _ = $0.insert(mistake) } }

    func meet(_ mistake: ForcingMistake) {
        // An answer that a task, a suite or the process forces may be meant for another project that has the name.
        if mistake.isOfUnknownEntity { return }
        if mistakes.withLock({ $0.insert(mistake).inserted }) { recordMistake(mistake.text) }
    }

    func take(_ events: [TrackingEvent], visitorID: String, config: ProjectConfig) {
        var taken: [TrackedEvent] = []
        for event in events {
            switch event {
            case .bucketing(let experienceID, let variationID):
                taken.append(.exposure(experienceID, variationID, of: config, visitorID: visitorID))
            case .conversion(let goalID, let goalData, _):
                let goal = config.goals.first { $0.id == goalID }?.key ?? goalID.text
                let event = TrackedEvent.conversion(goal, JSObject(goalData: goalData), visitorID: visitorID)
                // A conversion with values is reported twice: first without the values, then with them.
                if goalData != nil, taken.last == .conversion(goal, visitorID: visitorID) { taken.removeLast() }
                taken.append(event)
            }
        }
        recorded.withLock { $0 += taken }
    }
}

extension TrackedEvent {
    fileprivate static func exposure(
        _ experienceID: String, _ variationID: String, of config: ProjectConfig, visitorID: String
    ) -> TrackedEvent {
        let experience = config.experiences.first { $0.id.text.hasSameCodeUnits(as: experienceID) }
        let variation = experience?.variations.first { $0.id?.text.hasSameCodeUnits(as: variationID) ?? false }
        return .exposure(experience?.key ?? experienceID, variation?.key ?? variationID, visitorID: visitorID)
    }
}

extension JSObject {
    /// Creates the values of a conversion from pairs of `key` and `value`.
    fileprivate init(goalData: JSValue?) {
        self.init()
        for pair in goalData?.arrayValue ?? [] {
            guard let key = pair.objectValue?["key"]?.stringValue else { continue }
            self[key] = pair.objectValue?["value"]
        }
    }
}
