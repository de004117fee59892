internal import ConvertTransport
public import Foundation

/// Where rules come from.
public enum RulesSource: Sendable, Equatable {
    /// A `rules.json` or an archive in memory.
    case data(Data)
    /// A `rules.json` or an archive on disk.
    case file(URL)
    /// An endpoint that serves one of them. Must be `https`, or `http` on this machine.
    case url(URL)
    /// A configuration document, whose member `rules.url` says where the rules are, as for ``url(_:)``. A configuration
    /// without that member leaves the engine with the rules that it has, the bundled ones at the start; without bundled ones
    /// loading fails with ``MobileRulesError``.
    case configuration(Configuration)

    /// A configuration document: `{"rules.url": "https://…/rules.zip", …}`. Other members are not looked at.
    public enum Configuration: Sendable, Equatable {
        /// The JSON in memory.
        case data(Data)
        /// The JSON on disk, read anew at every refresh.
        case file(URL)
        /// An endpoint that serves the JSON, asked at every refresh. Must be `https`, or `http` on this machine.
        case url(URL)
    }
}

extension RulesSource {
    /// Where it is, for messages: without what may be secret.
    var place: String {
        switch self {
        case .data: "data"
        case .file(let url), .url(let url): url.place
        case .configuration(let configuration): configuration.place
        }
    }

    /// What tells a configuration document apart from others; `nil` for what is none.
    var configurationPlace: String? {
        switch self {
        case .configuration(.url(let url)), .configuration(.file(let url)): url.absoluteString
        case .configuration(.data): "data"
        default: nil
        }
    }
}

extension RulesSource.Configuration {
    /// Where it is, for messages: without what may be secret.
    var place: String {
        switch self {
        case .data: "configuration"
        case .file(let url), .url(let url): url.place
        }
    }
}
