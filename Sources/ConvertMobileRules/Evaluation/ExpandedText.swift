/// A text with its tokens replaced, in pieces that record which parts came from tokens.
struct ExpandedText: Sendable {
    /// The encoding that a token's text already has.
    enum Encoding: Sendable {
        case none
        /// From `urlenc`: text as percent-encoded unreserved characters, other values unchanged.
        case component
        /// From `~all_url`: the pairs of a query.
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
