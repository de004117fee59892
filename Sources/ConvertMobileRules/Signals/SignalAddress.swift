internal import ConvertTransport

/// The URL of a `templateurl`. The text of a token cannot leave the token's part of the URL.
///
/// Tokens in a path, query or fragment are percent-encoded. The address records whether scheme, host or port contain
/// text from a token.
struct SignalAddress {
    private enum Place {
        case origin, path, query, fragment
    }

    private var bytes: [UInt8] = []
    private var place = Place.origin
    /// The start of the authority, after the first `://`; `nil` before it.
    private var authorityStart: Int?
    /// The start of the path's last segment.
    private var segmentStart = 0
    private var isSegmentFromToken = false

    /// Whether a token contributed to scheme, host or port.
    private(set) var isOriginFromToken = false

    /// The URL's text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Composes the URL. Throws if a token is at a place where it is not allowed.
    init(_ address: ExpandedText) throws(SignalFault) {
        for piece in address.pieces {
            switch piece {
            case .literal(let text): try append(literal: text)
            case .token(let text, let encoding): try append(token: text, encoding)
            }
        }
        try endSegment()
    }

    private mutating func append(literal text: String) throws(SignalFault) {
        for byte in text.utf8 {
            try move(before: byte)
            bytes.append(byte)
            switch (place, byte) {
            case (.path, UInt8(ascii: "/")):
                segmentStart = bytes.count
                isSegmentFromToken = false
            case (.origin, UInt8(ascii: "/")) where authorityStart == nil && bytes.suffix(3).elementsEqual("://".utf8):
                authorityStart = bytes.count
            default: break
            }
        }
    }

    private mutating func append(token text: String, _ encoding: ExpandedText.Encoding) throws(SignalFault) {
        // Even an empty replacement may turn the text around it into two dots.
        if place == .path { isSegmentFromToken = true }
        if text.isEmpty && place != .origin { return }
        switch place {
        case .origin:
            isOriginFromToken = true
            // A token may contribute at most a scheme and an authority. The rule must give the path on that host.
            let isOrigin = text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || "-.:/".utf8.contains($0) }
            if isOrigin { try append(literal: text) }
            guard isOrigin, place == .origin else {
                throw SignalFault(
                    "a token before the path of 'templateurl' gives more than scheme, host and port; "
                        + "write the path and the query into the rule.")
            }
        case .path:
            append(encoded: text, keepsPercent: encoding != .none)
        case .query where encoding == .query:
            bytes += Array(text.utf8)
        case .query, .fragment:
            append(encoded: text, keepsPercent: encoding != .none)
        }
    }

    private mutating func append(encoded text: String, keepsPercent: Bool) {
        let encoded = PercentEncoding.encode(text) { byte in
            PercentEncoding.isUnreserved(byte) || (keepsPercent && byte == UInt8(ascii: "%"))
        }
        bytes += Array(encoded.utf8)
    }

    /// Advances to the part of the URL that begins with `byte`.
    private mutating func move(before byte: UInt8) throws(SignalFault) {
        let next: Place
        switch (place, byte) {
        case (.origin, _) where authorityStart == nil: return
        case (.origin, UInt8(ascii: "/")): next = .path
        case (.origin, UInt8(ascii: "?")), (.path, UInt8(ascii: "?")): next = .query
        case (.origin, UInt8(ascii: "#")), (.path, UInt8(ascii: "#")), (.query, UInt8(ascii: "#")): next = .fragment
        case (.path, UInt8(ascii: "/")): next = .path
        default: return
        }
        try endSegment()
        place = next
    }

    /// Rejects a segment that a token turned into a step to the parent folder.
    private func endSegment() throws(SignalFault) {
        guard place == .path, isSegmentFromToken else { return }
        let segment = String(decoding: bytes[segmentStart...], as: UTF8.self).lowercased()
            .replacing("%2e", with: ".").replacing("%2f", with: "/").replacing("%5c", with: "/")
        // Some servers decode slashes before they resolve dots.
        if segment.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            throw SignalFault("a token in the path of 'templateurl' gives '.' or '..', which would leave its place.")
        }
    }
}
