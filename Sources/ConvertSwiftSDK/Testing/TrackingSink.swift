import ConvertConcurrency
package import ConvertSwiftSDKCore
import ConvertTransport

/// Takes what an offline SDK would report.
package protocol TrackingSink: AnyObject, Sendable {
    /// Takes what one call tracked, in order. It is called under a context's lock: it must be short, and must not call
    /// the SDK.
    func take(_ events: [TrackingEvent], visitorID: String, config: ProjectConfig)

    /// A decision met a forced answer that its project cannot give. It may come again for every decision.
    func meet(_ mistake: ForcingMistake)
}

extension ConvertSDK {
    /// An offline SDK with a config that an app's test made. It stores and writes nothing, whatever `configuration`
    /// says.
    package convenience init(
        testing config: ProjectConfig, configuration: SDKConfiguration, sink: any TrackingSink
    ) {
        self.init(
            source: .fixed(config), secret: nil, mode: .offline, sink: sink,
            configuration: configuration.withoutStorage,
            transport: SystemTransport(), surroundings: Surroundings())
    }

    /// What takes the events that it would report, if anything does.
    package var sink: (any TrackingSink)? { engine.sink }

    /// The config that new contexts decide on; `nil` before the first config.
    package var currentConfig: ProjectConfig? { bases.current.snapshot?.config }

    /// What is forced in this SDK; `nil` if it is online, where nothing can be.
    package var forcedAnswers: ForcedAnswerTable? { engine.forced }

    /// Logs that the app's test asked for something that cannot be.
    package func warnTest(_ message: String) { engine.log.log(.warn, "testing.mistake", message) }
}
