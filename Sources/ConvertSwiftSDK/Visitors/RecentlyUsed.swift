import ConvertECMAScript

/// A bounded table that gives up what was not used for the longest time.
struct RecentlyUsed<Value> {
    private struct Node {
        var key: PropertyKey
        var value: Value
        var previous: Int
        var next: Int
    }

    let capacity: Int
    private var nodes: [Node] = []
    private var indices: [PropertyKey: Int] = [:]
    /// The ends of the list through `nodes`, from the newest to the oldest; -1 without any.
    private var newest = -1
    private var oldest = -1

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { nodes.count }

    /// The value of `key`, which becomes the newest.
    mutating func value(of key: PropertyKey) -> Value? {
        guard let index = indices[key] else { return nil }
        moveToFront(index)
        return nodes[index].value
    }

    /// Sets the value of `key`, which becomes the newest. Returns whether another one was given up for it.
    @discardableResult
    mutating func set(_ value: Value, for key: PropertyKey) -> Bool {
        if let index = indices[key] {
            nodes[index].value = value
            moveToFront(index)
            return false
        }
        if nodes.count < capacity {
            nodes.append(Node(key: key, value: value, previous: -1, next: -1))
            indices[key] = nodes.count - 1
            linkInFront(nodes.count - 1)
            return false
        }
        let index = oldest
        indices[nodes[index].key] = nil
        unlink(index)
        nodes[index].key = key
        nodes[index].value = value
        indices[key] = index
        linkInFront(index)
        return true
    }

    /// Forgets the value of `key`, if there is one.
    mutating func remove(_ key: PropertyKey) {
        guard let index = indices.removeValue(forKey: key) else { return }
        unlink(index)
        // The last node takes its place, so that the nodes have no gaps.
        let last = nodes.count - 1
        if index != last {
            nodes[index] = nodes[last]
            indices[nodes[index].key] = index
            let node = nodes[index]
            if node.previous >= 0 { nodes[node.previous].next = index } else { newest = index }
            if node.next >= 0 { nodes[node.next].previous = index } else { oldest = index }
        }
        nodes.removeLast()
    }

    private mutating func moveToFront(_ index: Int) {
        guard index != newest else { return }
        unlink(index)
        linkInFront(index)
    }

    private mutating func unlink(_ index: Int) {
        let node = nodes[index]
        if node.previous >= 0 { nodes[node.previous].next = node.next } else { newest = node.next }
        if node.next >= 0 { nodes[node.next].previous = node.previous } else { oldest = node.previous }
    }

    private mutating func linkInFront(_ index: Int) {
        nodes[index].previous = -1
        nodes[index].next = newest
        if newest >= 0 { nodes[newest].previous = index } else { oldest = index }
        newest = index
    }
}
