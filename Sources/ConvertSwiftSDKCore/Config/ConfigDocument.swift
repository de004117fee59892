public import ConvertECMAScript

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ProjectConfig {
    /// Decodes a config from JSON in UTF-8.
    ///
    /// Decoding takes time and memory linear to the document, and blocks the calling thread for some milliseconds per
    /// megabyte.
    ///
    /// - Parameter json: the document's bytes, read as `JSON.parse` reads them.
    /// - Throws: ``ConfigError`` if the bytes are not JSON, not an object or an `error` document, if the account or the
    ///   project is missing, or if the document exceeds ``ConfigLimits``.
    public init(json: Data) throws(ConfigError) {
        try self.init(JSONDocument.config(json))
    }

    /// Reads a config that is part of another document, or that an app built.
    ///
    ///     let config = try ProjectConfig(["account_id": "1", "project": ["id": "2"], "experiences": []])
    ///
    /// - Throws: ``ConfigError``, like ``init(json:)``.
    public init(_ value: JSValue) throws(ConfigError) {
        try self.init(json: Data(ECMAScript.jsonText(keepingNumbersOf: value).utf8))
    }

    /// Reads a config from a parsed document.
    package init(_ document: borrowing JSONDocument) throws(ConfigError) {
        self = try document.withRoot { (root) throws(ConfigError) in try ProjectConfig(root) }
    }
}

extension JSValue {
    /// Reads a JSON document as `JSON.parse` does, for example the attributes that a client sends.
    ///
    /// It takes time linear to the document.
    /// - Parameter json: the document's bytes in UTF-8.
    /// - Throws: ``ConfigError`` if the bytes are not JSON or exceed ``ConfigLimits/length``, ``ConfigLimits/values``,
    ///   ``ConfigLimits/names`` or ``ConfigLimits/depth``.
    public init(json: Data) throws(ConfigError) { self = try JSONDocument.parsing(json).withRoot { $0.value } }

    /// Reads a document that this package wrote. It may be nested deeper than the values from ``init(json:)`` that it
    /// contains.
    package init(written json: Data) throws(ConfigError) {
        self = try JSONDocument.parsing(json, depth: ConfigLimits.depth + 16).withRoot { $0.value }
    }

    /// Calls `body` with a cursor on this value, as if a config contained it. Returns `nil` if the value is nested
    /// deeper than a config may be.
    func withConfigCursor<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let text = ECMAScript.jsonText(keepingNumbersOf: self)
        guard let document = try? ECMAScript.parseJSON(text, vocabulary: ConfigMember.vocabulary) else { return nil }
        return try document.withRoot(body)
    }
}

extension JSONDocument {
    /// Parses a config, whose members are looked up by ``ConfigMember``.
    package static func config(_ json: Data) throws(ConfigError) -> JSONDocument {
        try parsing(json, vocabulary: ConfigMember.vocabulary, remedy: "fetch or export it again")
    }

    /// Parses `json`, whose arrays and objects may be nested `depth` deep. `remedy` says what to do about bytes that
    /// are not JSON.
    fileprivate static func parsing(
        _ json: Data, vocabulary: JSONVocabulary? = nil, depth: Int = ConfigLimits.depth,
        remedy: String = "write it as JSON in UTF-8"
    ) throws(ConfigError) -> JSONDocument {
        var limits = JSONLimits()
        limits.length = ConfigLimits.length
        limits.values = ConfigLimits.values
        limits.names = ConfigLimits.names
        limits.depth = depth
        do throws(JSONRefusal) {
            return try json.withElements { bytes throws(JSONRefusal) in
                try ECMAScript.readJSON(bytes, limits: limits, vocabulary: vocabulary, remedy: remedy)
            }
        } catch {
            throw ConfigError(code: error.isTooLarge ? .tooLarge : .invalidJSON, path: "$", message: error.message)
        }
    }
}
