/// A feature: a flag with typed variables, carried by variations.
public struct Feature: Sendable {
    /// A variable's declaration.
    public struct Variable: Sendable, Hashable {
        /// The key.
        public let key: String

        /// The type to cast to: `boolean`, `integer`, `float`, `string` or `json`. Of any other a value stays as it is.
        public let type: String?
    }

    /// The id, under which variations carry it.
    public let id: EntityID

    /// The key as the reference compares it: absent is the text `undefined`.
    public let key: String

    /// The name people gave it.
    public let name: String?

    /// The declared variables, in config order.
    public let variables: [Variable]
}

extension Feature: Decodable {
    private enum CodingKeys: String, CodingKey { case id, key, name, variables }

    /// Decodes a feature; only a missing id fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.entityID(.id)
        key = container.entityKey(.key)
        name = container.ifValid(.name)
        variables = container.list(.variables)
    }
}

extension Feature.Variable: Decodable {
    private enum CodingKeys: String, CodingKey { case key, type }

    /// Decodes a declaration; only a missing key fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decode(String.self, forKey: .key)
        type = container.ifValid(.type)
    }
}
