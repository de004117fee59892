package import ConvertECMAScript
public import Foundation

extension MobileEvent {
    /// Reads `{"type", "source", "data"?, "mask"?}` as `JSON.parse` does.
    ///
    /// - Throws: ``MobileRulesError`` with the path of the member that is missing or of the wrong type.
    public init(json: Data) throws(MobileRulesError) {
        let value: JSValue
        do {
            value = try JSValue(reading: json)
        } catch {
            throw MobileRulesError(.invalidJSON, at: "$", error.message)
        }
        try self.init(value)
    }

    /// Creates an event from its JSON value.
    package init(_ value: JSValue) throws(MobileRulesError) {
        guard let members = value.objectValue else {
            throw MobileRulesError(.wrongType, at: "$", "this must be an object, the event.")
        }
        let data = members["data"].flatMap { $0.isNull ? nil : $0 }
        let mask = members["mask"].flatMap { $0.isNull ? nil : $0 }
        if let data, data.objectValue == nil {
            throw MobileRulesError(.wrongType, at: "$.data", "this must be an object, the event's data.")
        }
        let names = mask?.arrayValue?.compactMap(\.stringValue)
        if let mask, names == nil || names?.count != mask.arrayValue?.count {
            throw MobileRulesError(.wrongType, at: "$.mask", "this must be a list of texts, the names to remember.")
        }
        self.init(
            type: try Self.text("type", of: members), source: try Self.text("source", of: members),
            data: data?.objectValue, mask: names)
    }

    private static func text(_ name: String, of members: JSObject) throws(MobileRulesError) -> String {
        guard let member = members[name] else {
            let hint = members.lazy.map(\.key.name).hint(atMissing: name)
            throw MobileRulesError(
                .missingMember, at: "$.\(name)", "this member is missing; an event needs it." + hint)
        }
        guard let text = member.stringValue else {
            throw MobileRulesError(.wrongType, at: "$.\(name)", "this must be text.")
        }
        return text
    }
}

extension MobileEvent: Decodable {
    private enum Keys: String, CodingKey { case type, source, data, mask }

    /// Decodes `{"type", "source", "data"?, "mask"?}` as part of another value. ``init(json:)`` is faster, and accepts
    /// documents that Foundation's decoder rejects.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            type: try container.decode(String.self, forKey: .type),
            source: try container.decode(String.self, forKey: .source),
            data: try container.decodeIfPresent(JSObject.self, forKey: .data),
            mask: try container.decodeIfPresent([String].self, forKey: .mask))
    }
}
