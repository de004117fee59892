/// Decides which requests are served, by their keys.
struct Access: Sendable {
    /// The result of checking a request's credentials.
    enum Result: Equatable {
        /// The request is allowed. `place` identifies the key.
        case granted(RemoteEvaluationKey.Permissions, place: Int)
        /// The request has no accepted key.
        case denied
    }

    private let keys: [RemoteEvaluationKey]

    init(_ keys: [RemoteEvaluationKey]) { self.keys = keys }

    /// The number of keys that are distinguished.
    var count: Int { max(1, keys.count) }

    /// Checks the header fields of a request.
    func check(_ request: RemoteEvaluationRequest) -> Result {
        guard !keys.isEmpty else { return .granted(.all, place: 0) }
        let presented = request.values(of: "x-api-key") + request.values(of: "authorization").compactMap(Self.token)
        // Two credentials in one request suggest a forged request.
        guard presented.count == 1, let secret = presented.first else { return .denied }
        // Every key is compared, so that the response time does not reveal which key is similar.
        let bytes = Array(secret.utf8)
        var found: Int?
        for place in keys.indices where Self.areEqual(bytes, keys[place].secret) { found = place }
        return found.map { .granted(keys[$0].permissions, place: $0) } ?? .denied
    }

    /// The token of a field `Bearer TOKEN`.
    private static func token(_ field: String) -> String? {
        let parts = field.utf8.split(separator: UInt8(ascii: " "))
        guard parts.count == 2, parts[0].isSameHeader(as: "bearer") else { return nil }
        return String(Substring(parts[1]))
    }

    /// Compares in a time that depends only on the length of `presented`.
    static func areEqual(_ presented: [UInt8], _ secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        var difference = presented.count ^ secret.count
        for index in presented.indices {
            difference |= Int(presented[index] ^ secret[index % secret.count])
        }
        return difference == 0
    }
}
