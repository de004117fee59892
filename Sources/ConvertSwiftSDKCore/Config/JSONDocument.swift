public import ConvertECMAScript

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSValue {
    /// Decodes a JSON document, such as the attributes that a client sends.
    ///
    /// - Parameter json: the document's bytes in UTF-8.
    /// - Throws: ``ConfigError`` if the bytes are not JSON or nested deeper than 64.
    public init(json: Data) throws(ConfigError) {
        self = try decodeDocument(JSValue.self, from: json, with: JSONDecoder())
    }
}

/// Decodes a document that is known to be UTF-8, to be what `JSON.parse` accepts, and not to be nested too deep, none of
/// which the toolchain's decoder sees to by itself.
///
/// - Throws: ``ConfigError`` with line and column where the bytes are not such a document, and whatever ``ConfigError``
///   the decoded type throws.
func decodeDocument<Document: Decodable>(
    _ type: Document.Type, from json: Data, with decoder: JSONDecoder
) throws(ConfigError) -> Document {
    if let message = complaint(about: json) { throw ConfigError(code: .invalidJSON, path: "$", message: message) }
    do {
        return try decoder.decode(type, from: json)
    } catch let error as ConfigError {
        throw error
    } catch {
        throw ConfigError(code: .invalidJSON, path: "$", message: "the document holds a value that cannot be read.")
    }
}

/// What is wrong with the bytes and what to do, or `nil` if nothing is.
private func complaint(about json: Data) -> String? {
    guard !json.isEmpty else { return "the document is empty; expected JSON." }
    // The decoder looks only at the text it is asked for, and takes text in another encoding for a missing member.
    guard String(validating: json, as: UTF8.self) != nil else {
        return "the document holds bytes that are not UTF-8; fetch or export it again."
    }
    return json.withUnsafeBytes { raw in
        let bytes = raw.bindMemory(to: UInt8.self)
        // A byte order mark says no more than that it is UTF-8.
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        guard let violation = ECMAScript.jsonViolation(in: UnsafeBufferPointer(rebasing: bytes[start...])) else {
            return nil
        }
        let before = bytes[..<(start + violation.offset)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start) + 1
        let place = "at line \(line), column \(column)"
        if violation.isTooDeep {
            return "nested deeper than \(ECMAScript.maximumJSONDepth) \(place); flatten it."
        }
        return before.count == bytes.count
            ? "the document ends too early, \(place); fetch or export it again."
            : "not valid JSON \(place); fetch or export it again."
    }
}
