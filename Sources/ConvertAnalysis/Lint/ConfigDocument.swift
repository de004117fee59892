internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

/// A config as its JSON spells it, with the path of each part.
struct ConfigDocument {
    /// The lists of a config.
    enum List: String, CaseIterable {
        case experiences, audiences, locations, segments, features, goals

        /// The name of one entity of the list.
        var entity: String { String(rawValue.dropLast()) }
    }

    /// An object of a list.
    struct Entity {
        let list: List
        let index: Int
        let members: JSObject

        var path: String { "$.\(list.rawValue)[\(index)]" }

        var id: EntityID? { EntityID(onWire: members["id"]) }

        var key: String? { members["key"]?.stringValue }

        /// The name in messages.
        var name: String {
            let name = key ?? id?.text
            return name.map { "\(list.entity) '\($0.excerpt())'" } ?? "\(list.entity) \(index)"
        }

        /// The path with the key, or else the id, in place of the index.
        var placePath: String { (key ?? id?.text).map { "$.\(list.rawValue)['\($0.excerpt())']" } ?? path }

        /// The rule graph in a member; `nil` if the member contains no rule graph.
        func rules(_ member: String = "rules") -> RuleTree? {
            guard let rules = members[member], rules.isTruthy else { return nil }
            return RuleTree(rules)
        }
    }

    let root: JSObject
    private let entities: [List: [Entity]]
    /// The ids of experiences that are archived.
    private let archivedIDs: Set<PropertyKey>
    /// Whether all experiences count as archived, because the list cannot be read.
    let isArchiveUnreadable: Bool

    init(_ root: JSObject) {
        self.root = root
        isArchiveUnreadable = root["archived_experiences"].map { $0.arrayValue == nil && $0.isTruthy } ?? false
        archivedIDs = Set((root["archived_experiences"]?.arrayValue ?? []).map { PropertyKey(ECMAScript.toString($0)) })
        entities = Dictionary(
            uniqueKeysWithValues: List.allCases.map { list in
                let elements = root[list.rawValue]?.arrayValue ?? []
                let entities = elements.enumerated().compactMap { index, value in
                    value.objectValue.map { Entity(list: list, index: index, members: $0) }
                }
                return (list, entities)
            })
    }

    /// The objects of a list; other elements are left out.
    subscript(list: List) -> [Entity] { entities[list] ?? [] }

    /// The entity at a path, or around it; `nil` if the path is outside of all entities.
    func entity(at path: String) -> Entity? {
        for list in List.allCases {
            let start = "$.\(list.rawValue)["
            guard path.utf8.starts(with: start.utf8) else { continue }
            let digits = path.utf8.dropFirst(start.utf8.count).prefix { $0 != UInt8(ascii: "]") }
            guard let index = Int(String(Substring(digits))) else { return nil }
            // Elements that are not objects are left out, so an entity may have a smaller position than its index.
            let entities = self[list]
            if index < entities.count, entities[index].index == index { return entities[index] }
            return entities.prefix(index + 1).last { $0.index == index }
        }
        return nil
    }

    /// Whether an experience is archived.
    func isArchived(_ experience: Entity) -> Bool {
        isArchiveUnreadable || experience.id.map { archivedIDs.contains($0.key) } ?? false
    }
}

extension ConfigDocument {
    /// An object in a list within an entity, such as a variation, a change of one or a condition.
    struct Part {
        private let list: String
        let index: Int
        let members: JSObject

        var path: String { "\(list)[\(index)]" }

        /// The objects of a list at a path; other elements are left out.
        static func all(of list: JSValue?, at path: String) -> [Part] {
            (list?.arrayValue ?? []).enumerated().compactMap { index, value in
                value.objectValue.map { Part(list: path, index: index, members: $0) }
            }
        }

        /// The objects of the list in a member.
        func parts(_ member: String) -> [Part] { Self.all(of: members[member], at: "\(path).\(member)") }

        /// The data of a change that carries a feature; `nil` for any other change.
        var carried: JSObject? {
            members["type"] == "fullStackFeature" ? members["data"]?.objectValue ?? JSObject() : nil
        }

        /// Whether visitors can get this variation.
        var isRunning: Bool { members["status"].map { !$0.isTruthy || $0 == "running" } ?? true }
    }
}

extension ConfigDocument.Entity {
    /// The objects of the list in a member.
    func parts(_ member: String) -> [ConfigDocument.Part] {
        ConfigDocument.Part.all(of: members[member], at: "\(path).\(member)")
    }

    /// The variations that are objects.
    var variations: [ConfigDocument.Part] { parts("variations") }

    /// The ids of the list in a member, each with its index.
    func references(_ member: String) -> [(index: Int, id: EntityID)] {
        (members[member]?.arrayValue ?? []).enumerated().compactMap { index, value in
            EntityID(onWire: value).map { (index, $0) }
        }
    }
}
