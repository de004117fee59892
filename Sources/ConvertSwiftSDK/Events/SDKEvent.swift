public import ConvertECMAScript
public import ConvertMonitoring
public import ConvertSwiftSDKCore

/// Something that happened in the SDK. More cases may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum SDKEvent: Sendable, Equatable {
    /// The first config is in place. A listener added later receives it immediately.
    case ready
    /// A new config is in place of an earlier one. A refresh that brings the same bytes is no event.
    case configUpdated
    /// The config cannot be fetched; the one in use, if there is one, stays. Once per outage:
    /// ``ConvertSDK/configStatus`` has the error of the last attempt.
    case configRefreshFailed(ConvertError)
    /// The config can be fetched again, after ``configRefreshFailed(_:)``.
    case configRefreshRecovered
    /// A visitor sees a variation, newly decided or stored.
    case bucketing(visitorID: String, experienceKey: String, variationKey: String?)
    /// A visitor was asked about a feature; an enabled one names the experience that carries it.
    case feature(visitorID: String, featureKey: String?, status: BucketedFeature.Status, experienceKey: String?)
    /// A visitor triggered a goal.
    case conversion(visitorID: String, goalKey: String)
    /// A visitor came to a location.
    case locationActivated(visitorID: String, location: LocationReference)
    /// A visitor left a location.
    case locationDeactivated(visitorID: String, location: LocationReference)
    /// A visitor's segments changed: these were merged into the stored ones.
    case segments(visitorID: String, JSObject)
    /// Tracking events went out, or failed to.
    case queueReleased(QueueRelease)
    /// Tracking events were given up.
    case eventsRejected(count: Int, RejectionReason)
    /// The changes and events of `saved` calls were stored in the ledger, and those of `failed` calls were not.
    case storeReleased(saved: Int, failed: Int)
    /// The ledger fails, for this reason. Once per outage: ``ConvertSDK/ledgerStatus`` has the reason of the last
    /// failure.
    case ledgerFailed(reason: String)
    /// The ledger takes entries again, after ``ledgerFailed(reason:)``.
    case ledgerRecovered

    /// A location as events name it.
    public struct LocationReference: Sendable, Hashable {
        /// The location's id.
        public let id: String
        /// The location's key.
        public let key: String
        /// The name people gave it.
        public let name: String?
    }

    /// One request with tracking events.
    public struct QueueRelease: Sendable, Hashable {
        /// Why it was made: `size`, `timeout`, `flush` or `retry`.
        public let reason: String
        /// The endpoint's status, or `nil` if there was no answer.
        public let status: Int?
        /// Whether the endpoint took the events.
        public let isDelivered: Bool
        /// Number of events.
        public let eventCount: Int
        /// The visitors that the events are about, each once.
        public let visitorIDs: [String]
    }
}
