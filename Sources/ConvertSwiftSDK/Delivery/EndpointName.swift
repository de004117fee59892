import ConvertTransport

/// Checks of texts that become part of an endpoint's URL, where they need no encoding and cannot lead elsewhere.
enum EndpointName {
    /// Whether `text` has the form of an SDK key: parts of letters, digits and `-._~+=`, separated by slashes, such as
    /// `1001/2002`.
    static func isKey(_ text: String) -> Bool {
        text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            // A part that consists only of dots would lead to a parent folder.
            part.utf8.contains { $0 != UInt8(ascii: ".") }
                && part.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "+=".utf8.contains($0) }
        }
    }

    /// Whether `text` has the form of an account's or a project's id: letters, digits, `-` and `_`. An id may also
    /// become part of a host.
    static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || "-_".utf8.contains($0) }
    }
}
