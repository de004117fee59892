internal import ConvertECMAScript
internal import Foundation

/// What a configuration document says of rules.
struct RulesConfiguration: Sendable, Equatable {
    private static let member = "rules.url"

    /// Where the rules are; `nil` if it does not say so.
    let rulesURL: URL?
    /// If it does not say so: a hint at the member that may be meant to; empty if there is none.
    let hint: String

    /// A configuration that says `rulesURL`.
    init(rulesURL: URL?) {
        self.rulesURL = rulesURL
        hint = ""
    }

    /// Reads a document.
    /// - Parameter place: where it came from, for the error.
    init(json: Data, at place: String) throws(MobileRulesError) {
        guard let members = try? JSValue(reading: json).objectValue else {
            let format = json.withUnsafeBytes { ForeignFormat(insteadOfJSON: $0) }
            let fault = format?.description ?? "no JSON object; give a configuration document"
            throw MobileRulesError(.invalidJSON, at: place, "it is \(fault).")
        }
        let text: String
        switch members[Self.member] {
        case nil, .null, .string(""):
            rulesURL = nil
            hint = members.lazy.map(\.key.name).hint(atMissing: Self.member)
            return
        case .string(let spelled):
            text = spelled
        default:
            throw MobileRulesError(.wrongType, at: place, "its member rules.url must be a string that holds a URL.")
        }
        guard let url = URL(string: text), url.scheme != nil, url.host()?.isEmpty == false else {
            throw MobileRulesError(.wrongType, at: place, "its member rules.url is no absolute URL; give one.")
        }
        rulesURL = url
        hint = ""
    }
}
