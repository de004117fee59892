public import ConvertECMAScript

/// The project that a config belongs to.
public struct Project: Sendable {
    /// The id.
    public let id: EntityID

    /// The name people gave it.
    public let name: String?

    /// The type, such as `fullstack`.
    public let type: String?

    /// The environments that the project declares, as they stand on the wire.
    public let environments: JSValue?

    /// The project's settings, as they stand on the wire; no decision depends on them.
    public let settings: JSValue?
}

extension Project: Decodable {
    private enum CodingKeys: String, CodingKey { case id, name, type, environments, settings }

    /// Decodes a project; only a missing id fails.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.entityID(.id)
        name = container.ifValid(.name)
        type = container.ifValid(.type)
        environments = container.value(.environments)
        settings = container.value(.settings)
    }
}
