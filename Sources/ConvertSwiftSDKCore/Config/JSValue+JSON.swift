public import ConvertECMAScript

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSValue {
    /// Reads a JSON document as `JSON.parse` does, for example the attributes that a client sends.
    ///
    /// It takes time linear to the document.
    /// - Parameter json: the document's bytes in UTF-8.
    /// - Throws: ``ConfigError`` if the bytes are not JSON or exceed ``ConfigLimits/length``, ``ConfigLimits/values``,
    ///   ``ConfigLimits/names`` or ``ConfigLimits/depth``.
    public init(json: Data) throws(ConfigError) {
        self = try ConfigError.parsing(json, remedy: "write it as JSON in UTF-8").withRoot { $0.value }
    }

    /// Reads a document that this package wrote. It may be nested deeper than the values from ``init(json:)`` that it
    /// contains.
    package init(written json: Data) throws(ConfigError) {
        self = try ConfigError.parsing(json, depth: ConfigLimits.depth + 16, remedy: "write it as JSON in UTF-8")
            .withRoot { $0.value }
    }

    /// Whether arrays and objects in the value are nested more than `depth` deep. It takes time linear to the value.
    package func isNested(deeperThan depth: Int) -> Bool {
        if let array = arrayValue { return depth == 0 || array.contains { $0.isNested(deeperThan: depth - 1) } }
        if let object = objectValue {
            return depth == 0 || object.contains { $0.value.isNested(deeperThan: depth - 1) }
        }
        return false
    }
}
