internal import ConvertTransport

/// The URL that a `templateurl` comes to, in which no token leaves its place.
///
/// The host comes from the literal text, or it is known to come from a token. What tokens give in a path or query is
/// percent-encoded there.
struct SignalAddress {
    private enum Place {
        case origin, path, query, fragment
    }

    private var bytes: [UInt8] = []
    private var place = Place.origin
    /// Where the authority begins: behind the first `://`.
    private var authorityStart: Int?
    /// Where the path's last segment begins.
    private var segmentStart = 0
    private var isSegmentFromToken = false

    /// Whether a token gave a part of scheme, host or port.
    private(set) var isOriginFromToken = false

    /// The URL's text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Composes the URL, or says why a token must not stand where it does.
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
        // Nothing, too, may turn what stands around it into two dots.
        if place == .path { isSegmentFromToken = true }
        if text.isEmpty && place != .origin { return }
        switch place {
        case .origin:
            isOriginFromToken = true
            // A scheme and an authority at the most: where tokens lead on a host is for the rule to say.
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

    /// Goes on to the part of the URL that `byte` begins.
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

    /// Refuses a segment that a token turned into one that leads upwards.
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
