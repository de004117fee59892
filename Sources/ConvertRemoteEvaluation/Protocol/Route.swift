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
    /// Conversions of a goal whose key is not percent-encoded UTF-8.
    case unreadableGoal
    /// A path that is not a resource of the protocol.
    case unknown

    private static let flags = "/ofrep/v1/evaluate/flags"
    private static let flagStart = flags + "/"
    private static let track = "/convert/v1/track"
    /// The protocol lets the server choose this path, and bulk answers contain it.
    private static let changesPath = "/ofrep/v1/changes"

    /// A prefix in the form that paths have: with one slash before it and none behind it, or empty.
    static func normalized(prefix: String) -> String {
        let slash = UInt8(ascii: "/")
        var name = prefix.utf8[...]
        while name.first == slash { name.removeFirst() }
        while name.last == slash { name.removeLast() }
        return name.isEmpty ? "" : "/" + String(Substring(name))
    }

    /// The request target of the event stream for clients that know the config with `tag`.
    static func changesTarget(prefix: String, tag: String) -> String {
        prefix + changesPath + "?since=" + PercentEncoding.encode(tag)
    }

    /// The resource of `target` below `prefix`, which must be normalized.
    init(_ target: String, prefix: String) {
        if prefix.isEmpty, let key = Self.plainKey(of: target) {
            self = .flag(key: key)
            return
        }
        let bytes = Array(target.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let path = bytes[..<end]
        self = .unknown
        guard path.starts(with: prefix.utf8) else { return }
        let rest = path.dropFirst(prefix.utf8.count)
        if rest.starts(with: Self.flags.utf8) {
            let name = rest.dropFirst(Self.flags.utf8.count)
            if name.isEmpty {
                self = .bulk
            } else if let key = Self.component(name) {
                self =
                    PercentEncoding.decode(key).map { .flag(key: $0) }
                    ?? .unreadableFlag(key: String(decoding: key, as: UTF8.self))
            }
        } else if rest.elementsEqual(Self.changesPath.utf8) {
            self = .changes(since: Self.value(of: "since=", in: bytes[end...].dropFirst()))
        } else if rest.starts(with: Self.track.utf8), let name = Self.component(rest.dropFirst(Self.track.utf8.count)) {
            self = PercentEncoding.decode(name).map { .track(goal: $0) } ?? .unreadableGoal
        }
    }

    /// The key in a target that needs no decoding, as most have; `nil` in all others. It copies no path.
    private static func plainKey(of target: String) -> String? {
        guard target.hasPrefix(flagStart) else { return nil }
        let key = target.utf8.dropFirst(flagStart.utf8.count)
        return !key.isEmpty && key.allSatisfy(PercentEncoding.isUnreserved) ? String(Substring(key)) : nil
    }

    /// The single component of a path that begins with a slash; `nil` if there are no or several components.
    private static func component(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = path.dropFirst()
        let slash = UInt8(ascii: "/")
        return path.first == slash && !name.isEmpty && !name.contains(slash) ? name : nil
    }

    /// The value of `name` in a query.
    private static func value(of name: String, in query: ArraySlice<UInt8>) -> String? {
        let member = query.split(separator: UInt8(ascii: "&")).first { $0.starts(with: name.utf8) }
        return member.flatMap { PercentEncoding.decode($0.dropFirst(name.utf8.count)) }
    }
}
