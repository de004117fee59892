public import ConvertECMAScript

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSValue {
    /// Reads a JSON document as `JSON.parse` does, such as the attributes that a client sends.
    ///
    /// - Parameter json: the document's bytes in UTF-8.
    /// - Throws: ``ConfigError`` if the bytes are not JSON, are nested deeper than 512, or hold more than 4 million values.
    public init(json: Data) throws(ConfigError) {
        self = try ConfigError.catching(json).withRoot { $0.value }
    }
}
