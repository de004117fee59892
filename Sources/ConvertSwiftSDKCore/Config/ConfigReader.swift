internal import ConvertECMAScript

/// Reads the lists and entities of a config, collects diagnostics about omitted parts, and enforces the limits.
struct ConfigReader: ~Copyable {
    private(set) var diagnostics: [ConfigDiagnostic] = []
    private var finder = JSONPathFinder()
    /// How many more entities and rule parts may be read.
    private var room: (entities: Int, ruleParts: Int)
    private var ruleTrees = RuleTreeReader()
    // Caches attached values, because experiences tend to attach the same ones.
    private var values = ConfigMemo<JSValue>()
    private var texts = ConfigMemo<[String]>()
    private var ids = ConfigMemo<[EntityID]>()
    private(set) var error: ConfigError?

    init(entities: Int = ConfigLimits.entities, ruleParts: Int = ConfigLimits.ruleParts) {
        room = (entities, ruleParts)
    }

    mutating func report(_ message: @autoclosure () -> String, at place: JSONCursor, remedy: String) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        diagnostics.append(ConfigDiagnostic(path: finder.path(of: place), message: message(), remedy: remedy))
    }

    /// Reports that `element` of a list is left out because `culprit`, which is `element` or a value inside it, has the
    /// wrong type; `remedy` says what to write instead.
    mutating func leaveOut(_ element: JSONCursor, becauseOf culprit: JSONCursor, remedy: String) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        let path = finder.path(of: culprit)
        report("left out: \(path) has another type than expected.", at: element, remedy: remedy)
    }

    /// The valid elements of a list, in order; empty if the member is missing or not a list. `read` reports why it
    /// returns `nil` for an element.
    mutating func list<Element>(
        _ list: JSONCursor?, _ read: (JSONCursor, inout ConfigReader) -> Element?
    ) -> [Element] {
        guard let list, list.isArray else { return [] }
        var elements: [Element] = []
        elements.reserveCapacity(list.count)
        for cursor in list.elements {
            if let element = read(cursor, &self) { elements.append(element) }
        }
        return elements
    }

    /// Returns the elements like ``list(_:_:)``, and counts them as entities, whose number is limited.
    mutating func entities<Element>(
        _ list: JSONCursor?, _ read: (JSONCursor, inout ConfigReader) -> Element?
    ) -> [Element] {
        room.entities -= list.map { $0.isArray ? $0.count : 0 } ?? 0
        if room.entities < 0 {
            refuse("more than \(ConfigLimits.entities) experiences, variations, audiences and the like", at: list)
            return []
        }
        return self.list(list, read)
    }

    /// A rule graph, or `nil` where the reference sees no rules: the member is missing, or its ToBoolean is false.
    mutating func rules(_ rules: JSONCursor?) -> RuleTree? {
        guard let rules, rules.isTruthy else { return nil }
        let tree = ruleTrees.tree(rules)
        room.ruleParts -= tree.partCount
        if room.ruleParts < 0 {
            refuse("more than \(ConfigLimits.ruleParts) blocks, clauses and leaves of rules", at: rules)
            return nil
        }
        return tree
    }

    /// The rules of an entity that needs some. None are reported under `name`.
    mutating func rules(of entity: JSONCursor, _ name: @autoclosure () -> String) -> RuleTree? {
        let rules = rules(entity[.rules])
        if rules == nil {
            report(
                "\(name()) has no rules: it never matches.", at: entity,
                remedy: "Write its conditions as rules: {\"OR\": [{\"AND\": [{\"OR_WHEN\": [ … ]}]}]}.")
        }
        return rules
    }

    /// A value that may be large and may occur several times in the config. Equal values share their storage.
    mutating func value(_ cursor: JSONCursor?) -> JSValue? {
        cursor.flatMap { values.made(of: $0, by: \.value) }
    }

    private mutating func refuse(_ reason: String, at place: JSONCursor?) {
        guard error == nil, let place else { return }
        error = ConfigError(
            code: .tooLarge, path: finder.path(of: place),
            message: "the config is too large: it has \(reason); split or shrink it.")
    }

    /// The texts of a list. Equal lists share their storage.
    mutating func texts(_ list: JSONCursor?) -> [String] {
        guard let list, list.count > 0 else { return [] }
        return texts.made(of: list) { Self.complete($0, \.text) }
            ?? self.usable(list, remedy: "Write it as text.", \.text)
    }

    /// The ids of a list. Equal lists share their storage.
    mutating func ids(_ list: JSONCursor?) -> [EntityID] {
        guard let list, list.count > 0 else { return [] }
        return ids.made(of: list) { Self.complete($0, EntityID.init) }
            ?? self.usable(list, remedy: "Write an id, as text; what it names has a list of its own.", EntityID.init)
    }

    /// The results of `read` for the elements of a list, or `nil` if `read` returns `nil` for any element.
    private static func complete<Element>(_ list: JSONCursor, _ read: (JSONCursor) -> Element?) -> [Element]? {
        guard list.isArray else { return nil }
        let elements = list.elements.compactMap(read)
        return elements.count == list.count ? elements : nil
    }

    /// The results of `read` for the elements of a list. An element for which `read` returns `nil` is reported.
    private mutating func usable<Element>(
        _ list: JSONCursor, remedy: String, _ read: (JSONCursor) -> Element?
    ) -> [Element] {
        self.list(list) { cursor, reader in
            let element = read(cursor)
            if element == nil { reader.leaveOut(cursor, becauseOf: cursor, remedy: remedy) }
            return element
        }
    }

    /// The id of an entity. Returns `nil` and reports the entity as left out if it has no usable id.
    ///
    /// - Parameter mustBeTruthy: whether an id that is empty, `false` or 0 is unusable too. The reference ignores
    ///   experiences and goals with such an id.
    mutating func id(of entity: JSONCursor, mustBeTruthy: Bool = false) -> EntityID? {
        guard entity.isObject else {
            leaveOut(entity, becauseOf: entity, remedy: "Write an object with an id and a key.")
            return nil
        }
        guard let member = entity[.id] else {
            report("left out: it has no id.", at: entity, remedy: "Give it an id, as text.")
            return nil
        }
        guard let id = EntityID(member), id.isTruthy || !mustBeTruthy else {
            leaveOut(entity, becauseOf: member, remedy: "Write the id as text that is not empty.")
            return nil
        }
        return id
    }
}
