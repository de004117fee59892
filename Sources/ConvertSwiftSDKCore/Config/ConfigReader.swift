internal import ConvertECMAScript

/// Reads lists and entities of a config, collects what is left out, and keeps the limits.
struct ConfigReader {
    private(set) var diagnostics: [ConfigDiagnostic] = []
    private var finder = JSONPathFinder()
    /// How many more entities and parts of rules may be read.
    private var room: (entities: Int, ruleParts: Int)
    /// The latest lists, because those of experiences tend to be alike, and lists that are share their storage.
    private var latestEnvironments = LatestList<String>()
    private var latestIDs = [LatestList<EntityID>](repeating: LatestList(), count: IDList.allCases.count)
    private var ruleTrees = RuleTreeReader()
    private var values = JSONMemo<JSValue>()
    /// Why the config is refused: the limit that is exceeded first.
    private(set) var error: ConfigError?

    init(entities: Int = ConfigLimits.entities, ruleParts: Int = ConfigLimits.ruleParts) {
        room = (entities, ruleParts)
    }

    mutating func report(_ message: @autoclosure () -> String, at place: JSONCursor) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        diagnostics.append(ConfigDiagnostic(path: finder.path(of: place), message: message()))
    }

    /// Says that `element` of a list is left out because of the type of `culprit`, which is it or something in it.
    mutating func leaveOut(_ element: JSONCursor, becauseOf culprit: JSONCursor) {
        guard diagnostics.count < ConfigDiagnostic.limit else { return }
        let path = finder.path(of: culprit)
        report("left out: \(path) has another type than expected.", at: element)
    }

    /// The valid elements of a list, in order; none if the member is missing or no list. `read` says why it makes nothing of
    /// an element.
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

    /// As ``list(_:_:)``, for entities, of which there may be only so many.
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

    /// A rule graph, or `nil` where the reference sees none: a missing member and what ToBoolean makes false.
    mutating func rules(_ name: ConfigMember, of entity: JSONCursor) -> RuleTree? {
        guard let rules = entity[name], rules.isTruthy else { return nil }
        let shape = ruleTrees.shape(of: rules)
        room.ruleParts -= shape.parts
        if room.ruleParts < 0 {
            refuse("more than \(ConfigLimits.ruleParts) blocks, clauses and leaves of rules", at: rules)
            return nil
        }
        return ruleTrees.tree(rules, shape)
    }

    /// A value that may be large and may stand in the config several times. Those that are alike share their storage.
    mutating func value(_ cursor: JSONCursor?) -> JSValue? {
        cursor.map { values.made(of: $0, by: \.value) }
    }

    private mutating func refuse(_ reason: String, at place: JSONCursor?) {
        guard error == nil, let place else { return }
        error = ConfigError(
            code: .tooLarge, path: finder.path(of: place),
            message: "the config is too large: it has \(reason); split or shrink it.")
    }

    /// The environments of an experience.
    mutating func environments(_ list: JSONCursor?) -> [String] {
        if let known = latestEnvironments.elements(ifLike: list) { return known }
        let texts = self.list(list) { element, reader in
            if let text = element.text { return text }
            reader.leaveOut(element, becauseOf: element)
            return nil
        }
        latestEnvironments.keep(texts, of: list)
        return texts
    }

    /// The lists of ids that an experience has.
    enum IDList: Int, CaseIterable { case locations, audiences, goals }

    /// The ids of a list, which is the experience's list `name`.
    mutating func ids(_ list: JSONCursor?, _ name: IDList) -> [EntityID] {
        if let known = latestIDs[name.rawValue].elements(ifLike: list) { return known }
        let ids = self.list(list) { element, reader in
            if let id = EntityID(element) { return id }
            reader.leaveOut(element, becauseOf: element)
            return nil
        }
        latestIDs[name.rawValue].keep(ids, of: list)
        return ids
    }

    /// The id of an entity that is left out if it has none. One that must be truthy is not empty either: the reference acts
    /// on no experience or goal without one.
    mutating func id(of entity: JSONCursor, mustBeTruthy: Bool = false) -> EntityID? {
        guard entity.isObject else {
            leaveOut(entity, becauseOf: entity)
            return nil
        }
        guard let member = entity[.id] else {
            report("left out: it has no id.", at: entity)
            return nil
        }
        guard let id = EntityID(member), id.isTruthy || !mustBeTruthy else {
            leaveOut(entity, becauseOf: member)
            return nil
        }
        return id
    }
}

/// The latest list of a kind of which nothing was left out.
private struct LatestList<Element> {
    private var latest: (list: JSONCursor, elements: [Element])?

    /// The elements, if `list` has the same values.
    func elements(ifLike list: JSONCursor?) -> [Element]? {
        guard let list, let latest, latest.list.hasSameContents(as: list) else { return nil }
        return latest.elements
    }

    mutating func keep(_ elements: [Element], of list: JSONCursor?) {
        if let list, !elements.isEmpty, elements.count == list.count { latest = (list, elements) }
    }
}
