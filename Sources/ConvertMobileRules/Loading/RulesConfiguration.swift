internal import ConvertECMAScript
internal import Foundation

/// The URL of the rules in a configuration document.
struct RulesConfiguration: Sendable, Equatable {
    private static let member = "rules.url"

    /// The URL of the rules; `nil` if the document does not name it.
    let rulesURL: URL?
    /// If there is no URL, a hint at a member that may be meant as the URL. Empty if there is no such member.
    let hint: String

    /// Creates a configuration with `rulesURL`.
    init(rulesURL: URL?) {
        self.rulesURL = rulesURL
        hint = ""
    }

    /// Reads a document.
    ///
    /// - Parameter place: the document's origin, for the error.
    init(json: Data, at place: String) throws(MobileRulesError) {
        guard let members = try? JSValue(reading: json).objectValue else {
            let format = json.withElements { ForeignFormat(insteadOfJSON: $0) }
            let fault = format?.description ?? "not a JSON object; give a configuration document"
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
            throw MobileRulesError(.wrongType, at: place, "its member rules.url is not an absolute URL; give one.")
        }
        rulesURL = url
        hint = ""
    }
}
