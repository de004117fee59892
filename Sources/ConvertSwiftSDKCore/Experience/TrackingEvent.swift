package import ConvertECMAScript

/// An event to report about a visitor.
package enum TrackingEvent: Sendable, Equatable {
    /// A new decision was made for the visitor in an experience.
    case bucketing(experienceID: String, variationID: String)
    /// The visitor triggered a goal. `goalData` contains the conversion's values, or is `nil`. `bucketing` contains the
    /// decisions that were stored before the conversion.
    case conversion(goalID: EntityID, goalData: JSValue?, bucketing: JSObject?)

    /// The event in the format of the tracking endpoint.
    package var payload: JSValue {
        switch self {
        case .bucketing(let experienceID, let variationID):
            return [
                "eventType": "bucketing",
                "data": ["experienceId": .string(experienceID), "variationId": .string(variationID)],
            ]
        case .conversion(let goalID, let goalData, let bucketing):
            var data: JSObject = ["goalId": goalID.value]
            if let goalData { data["goalData"] = goalData }
            if let bucketing { data["bucketingData"] = .object(bucketing) }
            return ["eventType": "conversion", "data": .object(data)]
        }
    }
}
