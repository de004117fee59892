public import ConvertECMAScript

/// One arm of an experience.
public struct Variation: Sendable {
    /// The id; `nil` if the wire has none, and then nobody is bucketed into it. What is there but no id keeps its share of
    /// the visitors, who see no variation.
    public let id: EntityID?

    /// The key.
    public let key: String?

    /// The name people gave it.
    public let name: String?

    /// Whether it runs: the status is `running`, absent, null or empty.
    public let isRunning: Bool

    /// The share of visitors in percent as it stands on the wire; see ``Allocation`` for what is made of it.
    public let trafficAllocation: JSValue?

    /// What the variation changes, such as the features it carries.
    public let changes: [Change]
}

/// A change that a variation makes.
public struct Change: Sendable {
    /// The type, such as `fullStackFeature`.
    public let type: String?

    /// The payload, whose shape depends on the type.
    public let data: JSValue?
}

extension Variation: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, key, name, status, changes
        case trafficAllocation = "traffic_allocation"
    }

    /// Decodes a variation; a missing id is reported.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let hasUnusableID = container.contains(.id) && container.value(.id, unreadable: true)?.isTruthy == true
        id = container.ifValid(.id) ?? (hasUnusableID ? .unusable : nil)
        if id == nil { decoder.report("a variation without id: nobody is bucketed into it.") }
        key = container.ifValid(.key)
        name = container.ifValid(.name)
        if let status = container.ifValid(.status, as: String.self) {
            isRunning = status.isEmpty || status.hasSameCodeUnits(as: "running")
        } else {
            isRunning = container.value(.status, unreadable: true)?.isTruthy != true
        }
        trafficAllocation =
            container.ifValid(.trafficAllocation, as: Double.self).map { JSValue($0) }
            ?? container.value(.trafficAllocation, unreadable: .null)
        changes = container.list(.changes)
    }
}

extension Change: Decodable {
    private enum CodingKeys: String, CodingKey { case type, data }

    /// Decodes a change of any type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = container.ifValid(.type)
        data = container.ifValid(.data, as: JSObject.self).map(JSValue.object) ?? container.value(.data)
    }
}
