import ConvertECMAScript
import ConvertTransport

/// The resource in a request's path.
enum Route: Equatable {
    /// One flag.
    case flag(key: String)
    /// One flag whose key is not percent-encoded UTF-8.
    case unreadableFlag(key: String)
    /// All flags.
    case bulk
    /// The stream of config changes; `since` is the tag of the config that the client saw last.
    case changes(since: String?)
    /// Conversions of one goal. The protocol has no path for them.
    case track(goal: String)
    /// A path that is not a resource of the protocol.
    case unknown

    private static let flags = "/ofrep/v1/evaluate/flags"
    private static let track = "/convert/v1/track"
    /// The protocol lets the server choose this path, and bulk answers contain it.
    private static let changesPath = "/ofrep/v1/changes"

    /// The request target of the event stream for clients that know the config with `tag`.
    static func changesTarget(prefix: String, tag: String) -> String {
        prefix + changesPath + "?since=" + PercentEncoding.encode(tag)
    }

    /// The resource of `target` below `prefix`.
    init(_ target: String, prefix: String) {
        let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.starts(with: prefix.utf8) else {
            self = .unknown
            return
        }
        let rest = path.dropFirst(prefix.utf8.count)
        if rest.elementsEqual(Self.flags.utf8) {
            self = .bulk
        } else if rest.elementsEqual(Self.changesPath.utf8) {
            self = .changes(since: parts.count > 1 ? Self.value(of: "since=", in: parts[1]) : nil)
        } else if rest.starts(with: Self.flags.utf8) {
            self =
                Self.last(rest.dropFirst(Self.flags.utf8.count)).map { key in
                    PercentEncoding.decode(key).map { .flag(key: $0) } ?? .unreadableFlag(key: key)
                } ?? .unknown
        } else if rest.starts(with: Self.track.utf8) {
            let goal = Self.last(rest.dropFirst(Self.track.utf8.count)).flatMap { PercentEncoding.decode($0) }
            self = goal.map { .track(goal: $0) } ?? .unknown
        } else {
            self = .unknown
        }
    }

    /// The last component of a path; `nil` if there are no or several components.
    private static func last(_ rest: Substring.UTF8View) -> String? {
        let name = rest.dropFirst()
        let slash = UInt8(ascii: "/")
        guard rest.first == slash, !name.isEmpty, !name.contains(slash) else { return nil }
        return String(Substring(name))
    }

    /// The value of `name` in a query.
    private static func value(of name: String, in query: Substring.UTF8View) -> String? {
        let members = query.split(separator: UInt8(ascii: "&"))
        let member = members.first { $0.starts(with: name.utf8) }
        return member.flatMap { PercentEncoding.decode(String(Substring($0.dropFirst(name.utf8.count)))) }
    }
}
