import ConvertTransport

/// The cookie that identifies a visitor, with the name that the JavaScript SDK's helpers use.
///
/// If a request has no readable cookie, add ``header(visitorID:isSecure:)`` to the response, whatever the page:
/// otherwise the visitor counts as a new one on the next page. The header can be added to every response; this renews
/// the cookie for another year.
///
///     let known = VisitorCookie.visitorID(in: request.headers[.cookie])
///     let visitorID = known ?? UUID().uuidString
///     if let cookie = VisitorCookie.header(visitorID: visitorID) { response.headers[.setCookie] = cookie }
public enum VisitorCookie {
    /// The cookie's name.
    public static let name = "convert_visitor_id"

    /// The lifetime of the cookie: a year.
    public static let maximumAge = Duration.seconds(31_536_000)

    /// The maximum length of an id, in bytes of UTF-8. A longer id is not accepted: a browser may send anything.
    public static let maximumLength = 256

    /// Reads the visitor's id from the value of a request's `Cookie` header.
    ///
    /// - Returns: the id; `nil` if there is no header or cookie, or if its value is empty, longer than
    ///   ``maximumLength``, not percent-encoded text, or contains control characters. If there are several cookies, the
    ///   first counts.
    public static func visitorID(in header: String?) -> String? {
        for pair in (header ?? "").utf8.split(separator: UInt8(ascii: ";")) {
            let text = Substring(pair).trimmed {
                $0 == "\t" || $0 == "\u{200B}" || $0.properties.generalCategory == .spaceSeparator
            }
            guard text.utf8.starts(with: "\(name)=".utf8) else { continue }
            let value = text.utf8.dropFirst(name.utf8.count + 1)
            guard value.count <= 3 * maximumLength, let id = PercentEncoding.decode(Array(value)[...]), isValid(id)
            else { return nil }
            return id
        }
        return nil
    }

    private static func isValid(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= maximumLength
            && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Creates the value of a response's `Set-Cookie` header that stores the id.
    ///
    /// The cookie is valid for all paths, is not sent with cross-site requests except when a link is followed, and is
    /// hidden from scripts.
    /// - Parameters:
    ///   - visitorID: the id, without control characters, at most ``maximumLength`` bytes.
    ///   - isSecure: whether the browser sends the cookie only over `https`.
    /// - Returns: the value; `nil` if ``visitorID(in:)`` would not accept the id, because it is empty, longer than
    ///   ``maximumLength`` or contains control characters. With such an id, the visitor would count as new at every
    ///   request.
    public static func header(visitorID: String, isSecure: Bool = true) -> String? {
        guard isValid(visitorID) else { return nil }
        let seconds = maximumAge.components.seconds
        return "\(name)=\(PercentEncoding.encode(visitorID)); Max-Age=\(seconds); Path=/; SameSite=Lax; HttpOnly"
            + (isSecure ? "; Secure" : "")
    }
}
