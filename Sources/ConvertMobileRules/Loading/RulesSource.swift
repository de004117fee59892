internal import ConvertTransport
public import Foundation

/// The source of rules.
public enum RulesSource: Sendable, Equatable {
    /// A `rules.json` or an archive in memory.
    case data(Data)
    /// A `rules.json` or an archive on disk.
    case file(URL)
    /// An endpoint that serves a `rules.json` or an archive. The URL must use `https`, or `http` on this machine.
    case url(URL)
    /// A configuration document with the rules' URL in its member `rules.url`. The URL is loaded like ``url(_:)``. If
    /// the member is missing, the engine keeps its rules, or uses the bundled rules at the start. Without bundled
    /// rules, loading fails with ``MobileRulesError``.
    case configuration(Configuration)

    /// A configuration document: `{"rules.url": "https://…/rules.zip", …}`. Other members are ignored.
    public enum Configuration: Sendable, Equatable {
        /// The JSON in memory.
        case data(Data)
        /// The JSON on disk, read again at every refresh.
        case file(URL)
        /// An endpoint that serves the JSON, requested at every refresh. The URL must use `https`, or `http` on this
        /// machine.
        case url(URL)
    }
}

extension RulesSource {
    /// The source for messages, without secrets.
    var place: String {
        switch self {
        case .data: "data"
        case .file(let url), .url(let url): url.place
        case .configuration(let configuration): configuration.place
        }
    }

    /// Identifies the configuration document; `nil` for other sources.
    var configurationPlace: String? {
        switch self {
        case .configuration(.url(let url)), .configuration(.file(let url)): url.absoluteString
        case .configuration(.data): "data"
        default: nil
        }
    }
}

extension RulesSource.Configuration {
    /// The place for messages, without secrets.
    var place: String {
        switch self {
        case .data: "configuration"
        case .file(let url), .url(let url): url.place
        }
    }
}
