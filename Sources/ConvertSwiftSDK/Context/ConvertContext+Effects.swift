import ConvertECMAScript
import ConvertSwiftSDKCore
import Synchronization

extension ConvertContext {
    /// Performs what a decision asks for, except telling it. Called under the context's lock, so that a visitor's events
    /// queue in the order in which they were made.
    func perform(_ effects: [DecisionEffect], of snapshot: ConfigSnapshot, _ state: inout State) {
        if effects.isEmpty { return }
        let key = snapshot.visitorKey(visitorID)
        let isTracking = engine.isTrackingEnabled.load(ordering: .relaxed)
        var changes: [VisitorStateChange] = []
        for effect in effects {
            switch effect {
            case .store(let change):
                changes.append(change)
            case .track(let event, let segments):
                guard isTracking else { continue }
                engine.delivery.track(
                    QueuedEvent(
                        destination: snapshot.destination, visitorID: visitorID, segments: segments,
                        payload: event.payload))
            case .warn(let warning):
                engine.log.once(.decision, "\(warning)", "\(warning)")
            case .locationActivated, .locationDeactivated:
                break
            }
        }
        store(changes, key: key, &state)
    }

    /// Tells the location and segment events among `effects`.
    func tell(_ effects: [DecisionEffect], of snapshot: ConfigSnapshot) {
        guard engine.hub.hasSubscribers else { return }
        for effect in effects {
            switch effect {
            case .locationActivated(let index):
                engine.hub.fire(.locationActivated(visitorID: visitorID, location: snapshot.location(at: index)))
            case .locationDeactivated(let index):
                engine.hub.fire(.locationDeactivated(visitorID: visitorID, location: snapshot.location(at: index)))
            case .store(.segments(let segments)):
                engine.hub.fire(.segments(visitorID: visitorID, segments))
            case .store, .track, .warn:
                break
            }
        }
    }

    /// Whether a call brings no location properties and the context has some.
    func needsCompletion(_ options: DecisionOptions) -> Bool {
        locationProperties != nil && options.locationProperties == nil
    }

    /// The options of a call, with the context's location properties if it brings none.
    func completed(_ options: DecisionOptions) -> DecisionOptions {
        guard let locationProperties, options.locationProperties == nil else { return options }
        var options = options
        options.locationProperties = locationProperties
        return options
    }
}

extension ConfigSnapshot {
    fileprivate func location(at index: Int) -> SDKEvent.LocationReference {
        let location = config.locations[index]
        return SDKEvent.LocationReference(id: location.id.text, key: location.key, name: location.name)
    }
}
