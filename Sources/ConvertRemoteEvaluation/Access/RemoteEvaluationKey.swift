/// An access key for clients.
///
/// Its description does not contain the secret.
public struct RemoteEvaluationKey: Sendable {
    /// The requests that a key permits.
    public struct Permissions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int

        /// Creates a set with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Evaluate one flag at a time, as server-side clients do.
        public static let flag = Permissions(rawValue: 1)
        /// Evaluate all flags at once, as browsers and apps do.
        public static let bulk = Permissions(rawValue: 2)
        /// Receive config changes.
        public static let changes = Permissions(rawValue: 4)
        /// Report conversions.
        public static let track = Permissions(rawValue: 8)
        /// All requests.
        public static let all: Permissions = [.flag, .bulk, .changes, .track]
    }

    let secret: [UInt8]

    /// The requests that the key permits. Any other request is answered with 403.
    public let permissions: Permissions

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - secret: the key as clients send it. An empty one is never accepted.
    ///   - permissions: the requests that the key permits.
    public init(_ secret: String, permissions: Permissions = .all) {
        self.secret = Array(secret.utf8)
        self.permissions = permissions
    }
}

extension RemoteEvaluationKey: CustomStringConvertible, CustomReflectable {
    /// The type's name.
    public var description: String { "RemoteEvaluationKey" }

    /// A mirror without members, so that dumps do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
