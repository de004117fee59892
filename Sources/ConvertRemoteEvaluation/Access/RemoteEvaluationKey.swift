/// A key that clients present to be answered.
///
/// It prints without its secret.
public struct RemoteEvaluationKey: Sendable {
    /// What a client with the key may do.
    public struct Permissions: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int

        /// A set with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Evaluate one flag at a time, as servers do.
        public static let flag = Permissions(rawValue: 1)
        /// Evaluate all flags at once, as browsers and apps do.
        public static let bulk = Permissions(rawValue: 2)
        /// Follow config changes.
        public static let changes = Permissions(rawValue: 4)
        /// Report conversions.
        public static let track = Permissions(rawValue: 8)
        /// Everything.
        public static let all: Permissions = [.flag, .bulk, .changes, .track]
    }

    let secret: [UInt8]

    /// What a client with the key may do. A request for something else is answered with 403.
    public let permissions: Permissions

    /// A key.
    ///
    /// - Parameters:
    ///   - secret: the key as clients send it. An empty one is never accepted.
    ///   - permissions: what a client with the key may do.
    public init(_ secret: String, permissions: Permissions = .all) {
        self.secret = Array(secret.utf8)
        self.permissions = permissions
    }
}

extension RemoteEvaluationKey: CustomStringConvertible, CustomReflectable {
    /// The type's name.
    public var description: String { "RemoteEvaluationKey" }

    /// No members.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
