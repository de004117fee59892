import ConvertConcurrency
public import ConvertECMAScript

/// A bounded table of values by the key of their visitor that removes its least recently used values.
///
/// Values in use stay. If many are in use, the table exceeds its bound, and shrinks later.
@usableFromInline
package struct RecentlyUsed<Value> {
    @usableFromInline struct Node {
        @usableFromInline var key: PropertyKey
        @usableFromInline var value: Value
        @usableFromInline var previous: Int
        @usableFromInline var next: Int

        @usableFromInline init(key: PropertyKey, value: Value) {
            self.key = key
            self.value = value
            previous = -1
            next = -1
        }
    }

    @usableFromInline let capacity: Int
    @usableFromInline var nodes: [Node] = []
    @usableFromInline var indices: [PropertyKey: Int] = [:]
    /// The ends of the list through `nodes`, from the newest to the oldest; -1 if the list is empty.
    @usableFromInline var newest = -1
    @usableFromInline var oldest = -1

    @inlinable package init(capacity: Int) { self.capacity = max(1, capacity) }

    @inlinable package var count: Int { nodes.count }

    /// The value of `key`, or `nil`. The value becomes the newest.
    @inlinable package mutating func value(of key: PropertyKey) -> Value? {
        guard let index = indices[key] else { return nil }
        moveToFront(index)
        return nodes[index].value
    }

    /// Sets the value of `key`, which becomes the newest. Removes old values if there are too many.
    ///
    /// - Parameter isInUse: whether a value must stay. Called for a few of the oldest values.
    @inlinable package mutating func set(
        _ value: Value, for key: PropertyKey, keeping isInUse: (inout Value) -> Bool = { _ in false }
    ) {
        if let index = indices[key] {
            nodes[index].value = value
            return moveToFront(index)
        }
        var chances = Self.chances
        while nodes.count >= capacity, chances > 0 {
            chances -= 1
            if isInUse(&nodes[oldest].value) { moveToFront(oldest) } else { remove(nodes[oldest].key) }
        }
        nodes.append(Node(key: key, value: value))
        indices[key] = nodes.count - 1
        linkInFront(nodes.count - 1)
        checkInvariants()
    }

    /// The maximum number of old values to remove, or to find in use, when a value is added.
    @inlinable static var chances: Int { 8 }

    /// Removes the value of `key`, if there is one.
    @inlinable package mutating func remove(_ key: PropertyKey) {
        guard let index = indices.removeValue(forKey: key) else { return }
        unlink(index)
        // The last node moves to the removed one's index, so that the array has no gaps.
        let last = nodes.count - 1
        if index != last {
            nodes[index] = nodes[last]
            indices[nodes[index].key] = index
            let node = nodes[index]
            if node.previous >= 0 { nodes[node.previous].next = index } else { newest = index }
            if node.next >= 0 { nodes[node.next].previous = index } else { oldest = index }
        }
        nodes.removeLast()
        checkInvariants()
    }

    @usableFromInline func checkInvariants() {
        Invariant.check(nodes.count == indices.count, "every key has one value")
        Invariant.check(nodes.isEmpty == (newest < 0) && nodes.isEmpty == (oldest < 0), "a list has two ends")
        Invariant.check(newest < nodes.count && oldest < nodes.count, "the ends are in the list")
        Invariant.check(newest < 0 || nodes[newest].previous < 0, "nothing is newer than the newest")
        Invariant.check(oldest < 0 || nodes[oldest].next < 0, "nothing is older than the oldest")
    }

    @inlinable mutating func moveToFront(_ index: Int) {
        guard index != newest else { return }
        unlink(index)
        linkInFront(index)
    }

    @inlinable mutating func unlink(_ index: Int) {
        let node = nodes[index]
        if node.previous >= 0 { nodes[node.previous].next = node.next } else { newest = node.next }
        if node.next >= 0 { nodes[node.next].previous = node.previous } else { oldest = node.previous }
    }

    @inlinable mutating func linkInFront(_ index: Int) {
        nodes[index].previous = -1
        nodes[index].next = newest
        if newest >= 0 { nodes[newest].previous = index } else { oldest = index }
        newest = index
    }
}
