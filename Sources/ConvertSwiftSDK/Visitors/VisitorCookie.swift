import ConvertTransport

/// The cookie that identifies a visitor, named as the JavaScript SDK's helpers name it.
///
/// A server answers every request of a visitor whose cookie it cannot read with ``header(visitorID:isSecure:)``,
/// whichever page it was: a visitor who begins on a page that sets none is another visitor on the next. To set it with
/// each answer does no harm, and keeps it for another year.
///
///     let known = VisitorCookie.visitorID(in: request.headers[.cookie])
///     let visitorID = known ?? UUID().uuidString
///     if let cookie = VisitorCookie.header(visitorID: visitorID) { response.headers[.setCookie] = cookie }
public enum VisitorCookie {
    /// The cookie's name.
    public static let name = "convert_visitor_id"

    /// How long a browser keeps it: a year.
    public static let maximumAge = Duration.seconds(31_536_000)

    /// The longest id that is read or kept, in bytes of UTF-8: a browser may send anything.
    public static let maximumLength = 256

    /// The visitor's id in the value of a request's `Cookie` header.
    ///
    /// - Returns: the id; `nil` without a header or cookie, or if its value is empty, longer than ``maximumLength``, or
    ///   no percent-encoded text without control characters. Of several cookies the first counts.
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

    /// The value of a response's `Set-Cookie` header that keeps the id.
    ///
    /// The cookie is for all paths, is not sent along with requests that other sites cause, except for following a
    /// link, and is not shown to scripts.
    /// - Parameters:
    ///   - visitorID: the id; of any characters but control characters.
    ///   - isSecure: whether the browser sends it over `https` only.
    /// - Returns: the value; `nil` for an id that ``visitorID(in:)`` would not read back, because it is empty, longer
    ///   than ``maximumLength`` or has control characters: its visitor would be a new one at every request.
    public static func header(visitorID: String, isSecure: Bool = true) -> String? {
        guard isValid(visitorID) else { return nil }
        let seconds = maximumAge.components.seconds
        return "\(name)=\(PercentEncoding.encode(visitorID)); Max-Age=\(seconds); Path=/; SameSite=Lax; HttpOnly"
            + (isSecure ? "; Secure" : "")
    }
}
