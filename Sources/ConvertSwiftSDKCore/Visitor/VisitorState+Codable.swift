package import ConvertECMAScript

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension VisitorState {
    /// Reads a stored record as `JSON.parse` does. A member of the wrong shape is dropped, as if it had never been
    /// stored.
    ///
    /// - Throws: ``ConfigError`` if the bytes are not a JSON object, or exceed the limits of `JSValue(json:)`.
    public init(json: Data) throws(ConfigError) {
        guard let record = try JSValue(written: json).objectValue else {
            throw ConfigError(
                code: .notAnObject, path: "$",
                message: "expected an object, the visitor's record; found another value.")
        }
        self.init(record: record)
    }

    package init(record: JSObject) {
        self.init()
        bucketing = record["bucketing"]?.objectValue
        locationKeys = record["locations"]?.arrayValue.map(Self.locationKeys)
        setSegments(record["segments"]?.objectValue)
        goals = record["goals"]?.objectValue
    }

    /// The keys in a stored list. Elements that are neither text nor `null` are dropped.
    fileprivate static func locationKeys(in list: [JSValue]) -> [String?] {
        list.filter { $0.isNull || $0.shownText != nil }.map(\.shownText)
    }
}

extension VisitorState: CustomStringConvertible {
    /// The stored record as JSON, such as `{"bucketing":{"301":"401"}}`; `{}` if nothing is stored.
    public var description: String { ECMAScript.jsonText(of: .object(json)) }
}

extension VisitorState: Codable {
    private enum CodingKeys: String, CodingKey { case bucketing, locations, segments, goals }

    /// Decodes a stored record. A member of the wrong shape is dropped, as if it had never been stored. A value in a
    /// member that the decoder rejects, such as a very large number, becomes `true`, so that its presence is kept.
    /// ``init(json:)`` is faster, and accepts all numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        bucketing = container.members(.bucketing)
        locationKeys = (try? container.decode([JSValue].self, forKey: .locations)).map(Self.locationKeys)
        setSegments(container.members(.segments))
        goals = container.members(.goals)
    }

    /// Encodes the record, without members that were never stored.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    /// The members of an object, or `nil` if there is no object.
    fileprivate func members(_ key: Key) -> JSObject? {
        guard contains(key), let container = try? nestedContainer(keyedBy: MemberName.self, forKey: key) else {
            return nil
        }
        return JSObject(
            container.allKeys.map { ($0.stringValue, (try? container.decode(JSValue.self, forKey: $0)) ?? true) })
    }
}
