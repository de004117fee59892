internal import Foundation

/// What a configuration document says of rules.
struct RulesConfiguration: Sendable, Equatable {
    /// Where the rules are; `nil` if it does not say so.
    let rulesURL: URL?

    private struct Members: Decodable {
        let rulesURL: String?

        enum CodingKeys: String, CodingKey { case rulesURL = "rules.url" }
    }

    /// A configuration that says `rulesURL`.
    init(rulesURL: URL?) { self.rulesURL = rulesURL }

    /// Reads a document.
    /// - Parameter place: where it came from, for the error.
    init(json: Data, at place: String) throws(MobileRulesError) {
        let members: Members
        do {
            members = try JSONDecoder().decode(Members.self, from: json)
        } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty {
            throw MobileRulesError(.wrongType, at: place, "its member rules.url must be a string that holds a URL.")
        } catch {
            throw MobileRulesError(.invalidJSON, at: place, "it is no JSON object; give a configuration document.")
        }
        guard let text = members.rulesURL, !text.isEmpty else {
            rulesURL = nil
            return
        }
        guard let url = URL(string: text), url.scheme != nil, url.host()?.isEmpty == false else {
            throw MobileRulesError(.wrongType, at: place, "its member rules.url is no absolute URL; give one.")
        }
        rulesURL = url
    }
}
