package import ConvertECMAScript

extension JSObject {
    /// At a greater nesting depth, a new member replaces the old member instead of being merged with it.
    private static var mergeDepthLimit: Int { 256 }

    /// The reference's deep merge of stored and new properties.
    ///
    /// Arrays are united: new elements precede stored elements, and duplicates are removed. Objects are merged member
    /// by member. Any other new value, including `null`, replaces the stored value. Takes time linear to both objects.
    package func deepMerging(_ new: JSObject) -> JSObject { deepMerging(new, depth: 0) }

    private func deepMerging(_ new: JSObject, depth: Int) -> JSObject {
        let accessor = ObjectPrototype.accessor
        if index(of: accessor) != nil || new.index(of: accessor) != nil {
            return Self.mergingPrototypes([self, new], depth: depth).members
        }
        if isEmpty { return new }
        var merged = self
        for member in new {
            merged[member.key] = Self.merge(merged[member.key], member.value, depth: depth + 1)
        }
        return merged
    }

    /// Merges objects, at least one of which has a member `__proto__`.
    private static func mergingPrototypes(_ objects: [JSObject], depth: Int) -> MergedObject {
        MergedObject(objects) { old, new in
            merge(old, new, depth: depth + 1)
        } mergeObjects: { old, new in
            guard depth < mergeDepthLimit else { return nil }
            return new.members.map { mergingPrototypes([old, $0], depth: depth + 1) }
        }
    }

    private static func merge(_ old: JSValue?, _ new: JSValue, depth: Int) -> JSValue {
        guard depth <= mergeDepthLimit, let old else { return new }
        if case .array(let old) = old, case .array(let new) = new { return .array(union(new, old)) }
        guard let oldMembers = old.members, let newMembers = new.members else { return new }
        return .object(oldMembers.deepMerging(newMembers, depth: depth))
    }

    /// The union of both arrays by SameValueZero. Elements that are arrays or objects are compared by identity, so
    /// equal elements may occur twice.
    private static func union(_ first: [JSValue], _ second: [JSValue]) -> [JSValue] {
        var united: [JSValue] = []
        var primitives: Set<JSValue> = []
        var identities: Set<UInt> = []
        for element in first + second {
            let isNew =
                switch element {
                case .array, .object: element.identity.map { identities.insert($0).inserted } ?? true
                default: primitives.insert(element).inserted
                }
            if isNew { united.append(element) }
        }
        return united
    }
}
