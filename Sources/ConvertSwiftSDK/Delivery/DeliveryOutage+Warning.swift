import ConvertMonitoring

extension DeliveryOutage.Cause {
    /// The warning of an outage that does not end by itself.
    ///
    /// - Parameters:
    ///   - status: the endpoint's status.
    ///   - longest: the maximum pause between attempts.
    func warning(status: Int, longest: Duration) -> String {
        "\(finding) (status \(status)). Tracking events wait and are sent again, at least every "
            + "\(Int(longest.seconds / 60)) minutes unless it asks for more; events that exceed the queue's capacity "
            + "are lost. "
            + remedy
    }

    private var finding: String {
        switch self {
        case .unavailable: "the tracking endpoint is not available"
        case .credentials: "the tracking endpoint refuses the SDK key or its secret"
        case .address: "there is no tracking endpoint at this address"
        case .proxy: "a proxy or gateway before the tracking endpoint refuses requests"
        case .request: "the tracking endpoint does not accept such requests"
        }
    }

    private var remedy: String {
        switch self {
        case .unavailable: "Check the network."
        case .credentials: "Check the SDK key, its secret and the account; a firewall may refuse requests too."
        case .address: "Check trackEndpoint and the SDK key."
        case .proxy: "Check the proxy that the environment names (https_proxy) and the network."
        case .request: "Check trackEndpoint, trackingBodyMapper and any proxy before the endpoint."
        }
    }
}
