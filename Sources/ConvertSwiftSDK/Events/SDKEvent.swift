public import ConvertECMAScript
public import ConvertMonitoring
public import ConvertSwiftSDKCore

/// An event of the SDK. More cases may be added.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum SDKEvent: Sendable, Equatable {
    /// The first config is in use. A listener added later receives the event immediately.
    case ready
    /// A new config replaced the earlier one. A refresh with the same bytes causes no event.
    case configUpdated
    /// The config cannot be fetched; the current one, if any, stays in use. Sent once per outage;
    /// ``ConvertSDK/configStatus`` has the error of the last attempt.
    case configRefreshFailed(ConvertError)
    /// The config can be fetched again, after ``configRefreshFailed(_:)``.
    case configRefreshRecovered
    /// A visitor sees a variation, newly decided or stored.
    case bucketing(visitorID: String, experienceKey: String, variationKey: String?)
    /// A feature was looked up for a visitor. For an enabled feature, the experience that carries it is named.
    case feature(visitorID: String, featureKey: String?, status: BucketedFeature.Status, experienceKey: String?)
    /// A visitor triggered a goal.
    case conversion(visitorID: String, goalKey: String)
    /// A visitor entered a location.
    case locationActivated(visitorID: String, location: LocationReference)
    /// A visitor left a location.
    case locationDeactivated(visitorID: String, location: LocationReference)
    /// A visitor's segments changed: these segments were merged into the stored segments.
    case segments(visitorID: String, JSObject)
    /// A request with tracking events succeeded or failed.
    case queueReleased(QueueRelease)
    /// Tracking events were rejected.
    case eventsRejected(count: Int, RejectionReason)
    /// The ledger stored the changes and events of `saved` calls. It did not store the changes and events of `failed`
    /// calls.
    case storeReleased(saved: Int, failed: Int)
    /// The ledger fails, for this reason. Sent once per outage; ``ConvertSDK/ledgerStatus`` has the reason of the last
    /// failure.
    case ledgerFailed(reason: String)
    /// The ledger stores entries again, after ``ledgerFailed(reason:)``.
    case ledgerRecovered

    /// A reference to a location.
    public struct LocationReference: Sendable, Hashable {
        /// The location's id.
        public let id: String
        /// The location's key.
        public let key: String
        /// The location's name in the config.
        public let name: String?
    }

    /// One request with tracking events.
    public struct QueueRelease: Sendable, Hashable {
        /// Why the request was sent: `size`, `timeout`, `flush` or `retry`.
        public let reason: String
        /// The endpoint's status; `nil` if there was no response.
        public let status: Int?
        /// Whether the endpoint accepted the events.
        public let isDelivered: Bool
        /// The number of events.
        public let eventCount: Int
        /// The ids of the events' visitors, without duplicates.
        public let visitorIDs: [String]
    }
}
