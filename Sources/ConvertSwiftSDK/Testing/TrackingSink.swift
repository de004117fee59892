import ConvertConcurrency
package import ConvertSwiftSDKCore
import ConvertTransport

/// Receives the events and mistakes of an offline SDK in an app's tests.
package protocol TrackingSink: AnyObject, Sendable {
    /// Receives the events of one call, in order. Called under a context's lock: it must be short, and must not call
    /// the SDK.
    func take(_ events: [TrackingEvent], visitorID: String, config: ProjectConfig)

    /// Receives a forced answer that its project cannot give. May be called again for every decision.
    func meet(_ mistake: ForcingMistake)
}

extension ConvertSDK {
    /// Creates an offline SDK with the config of an app's test. It stores nothing and writes no files, whatever
    /// `configuration` says.
    package convenience init(
        testing config: ProjectConfig, configuration: SDKConfiguration, sink: any TrackingSink
    ) {
        self.init(
            source: .fixed(config), mode: .offline, sink: sink, configuration: configuration.withoutStorage,
            transport: SystemTransport())
    }

    /// Receives the events that the SDK would report, if there is a sink.
    package var sink: (any TrackingSink)? { engine.sink }

    /// The config that new contexts decide on; `nil` before the first config.
    package var currentConfig: ProjectConfig? { bases.current.snapshot?.config }

    /// The answers forced in this SDK; `nil` if the SDK is online, where none can be forced.
    package var forcedAnswers: ForcedAnswerTable? { engine.forced }

    /// Logs a mistake of the app's test.
    package func warnTest(_ message: String) { engine.log.log(.warn, "testing.mistake", message) }
}
