import ConvertSwiftSDK
import Hummingbird

/// What the machinery around the server asks.
struct StatusRoutes {
    let sdk: ConvertSDK
    let metrics: EdgeMetrics

    func add(to router: Router<BasicRequestContext>) {
        // The process lives.
        router.get("health") { _, _ in HTTPResponse.Status.ok }
        // It has a config, and so can answer.
        router.get("ready") { _, _ in
            EditedResponse(status: sdk.isReady ? .ok : .serviceUnavailable, response: Readiness(sdk))
        }
        router.get("metrics") { _, _ in metrics.text }
    }
}

/// Which config there is, and how old it is.
struct Readiness: ResponseEncodable {
    let ready: Bool
    /// Which config is in use.
    let revision: String?
    /// Seconds since the config was last known to be current; `nil` while a copy on disk is in use.
    let ageSeconds: Double?
    /// Why the last attempt to fetch a config failed.
    let error: String?

    init(_ sdk: ConvertSDK) {
        let status = sdk.configStatus
        ready = sdk.isReady
        revision = status.revision
        ageSeconds = status.age.map { $0 / .seconds(1) }
        error = status.lastError?.message
    }
}
