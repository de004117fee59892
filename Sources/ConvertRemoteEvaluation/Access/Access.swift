/// Decides which requests are served, by their keys.
struct Access: Sendable {
    /// The result of checking a request's credentials.
    enum Verdict: Equatable {
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
    func check(_ request: RemoteEvaluationRequest) -> Verdict {
        guard !keys.isEmpty else { return .granted(.all, place: 0) }
        var presented: ArraySlice<UInt8>?
        for field in request.headers {
            let secret: ArraySlice<UInt8>?
            switch field.name.utf8.count {
            case 9 where field.name.utf8.isSameHeader(as: "x-api-key"): secret = Self.trimmed(field.value)
            case 13 where field.name.utf8.isSameHeader(as: "authorization"): secret = Self.token(field.value)
            default: continue
            }
            guard let secret else { continue }
            // Two credentials in one request suggest a forged request.
            if presented != nil { return .denied }
            presented = secret
        }
        guard let presented else { return .denied }
        // Every key is compared, so that the response time does not reveal which key is similar.
        var found: Int?
        for place in keys.indices where Self.areEqual(presented, keys[place].secret) { found = place }
        return found.map { .granted(keys[$0].permissions, place: $0) } ?? .denied
    }

    /// The token of a field `Bearer TOKEN`.
    private static func token(_ field: String) -> ArraySlice<UInt8>? {
        let field = trimmed(field)
        let scheme = field.prefix { !isSpace($0) }
        guard scheme.isSameHeader(as: "bearer") else { return nil }
        let token = field[scheme.endIndex...].drop(while: isSpace)
        return !token.isEmpty && !token.contains(where: isSpace) ? token : nil
    }

    /// A field's value without white space around it, which some servers leave there.
    private static func trimmed(_ field: String) -> ArraySlice<UInt8> {
        var rest = Array(field.utf8).drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Compares in a time that depends only on the length of `presented`.
    static func areEqual(_ presented: ArraySlice<UInt8>, _ secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        var difference = presented.count ^ secret.count
        var place = 0
        for byte in presented {
            difference |= Int(byte ^ secret[place])
            place = place + 1 == secret.count ? 0 : place + 1
        }
        return difference == 0
    }
}
