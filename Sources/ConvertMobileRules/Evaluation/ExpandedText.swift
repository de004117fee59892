/// A text whose tokens are replaced, in pieces that say which of it came out of tokens.
struct ExpandedText: Sendable {
    /// How a token's text is encoded already.
    enum Encoding: Sendable {
        case none
        /// By `urlenc`: text as percent-encoded unreserved characters, other values as they are.
        case component
        /// As the pairs of a query, by `~all_url`.
        case query
    }

    enum Piece: Sendable {
        case literal(String)
        case token(String, Encoding)

        var text: String {
            switch self {
            case .literal(let text), .token(let text, _): text
            }
        }
    }

    let pieces: [Piece]

    var text: String { pieces.reduce(into: "") { $0 += $1.text } }
}
