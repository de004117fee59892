/// The body of a tracking request, read without the SDK that wrote it.
struct TrackingRequest: Decodable {
    struct Visitor: Decodable {
        let visitorId: String
        let events: [Event]
    }

    struct Event: Decodable {
        struct Values: Decodable {
            let goalId: String?
            let goalData: [GoalValue]?
            let experienceId: String?
            let variationId: String?
        }

        let eventType: String
        let data: Values
    }

    struct GoalValue: Decodable {
        let key: String
    }

    let accountId: String
    let projectId: String
    let visitors: [Visitor]

    /// What identifies each event: its kind, its visitor, and what it is about. A conversion's values come in an event
    /// of their own, a `transaction`.
    var eventIDs: [String] {
        visitors.flatMap { visitor in
            visitor.events.map { event in
                let data = event.data
                let kind = data.goalData == nil ? event.eventType : "transaction"
                let subject = data.goalId ?? "\(data.experienceId ?? "?"):\(data.variationId ?? "?")"
                return "\(kind)\t\(visitor.visitorId)\t\(subject)"
            }
        }
    }
}
