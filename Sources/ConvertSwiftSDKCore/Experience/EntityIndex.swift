internal import ConvertECMAScript

/// First index by text, compared by code units.
///
/// An open-addressing table, because a dictionary would hash the key's hash again.
struct EntityIndex: Sendable {
    private var keys: [PropertyKey] = []
    private var indexes: [Int] = []
    /// Places in `keys` + 1, at most half full.
    private var table = [UInt32](repeating: 0, count: 16)

    /// Adds an entity and says whether its text is new.
    mutating func insert(_ key: PropertyKey, at index: Int) -> Bool {
        if self[key] != nil { return false }
        keys.append(key)
        indexes.append(index)
        if keys.count * 2 > table.count {
            table = [UInt32](repeating: 0, count: table.count * 2)
            for place in keys.indices { enter(place) }
        } else {
            enter(keys.count - 1)
        }
        return true
    }

    subscript(key: PropertyKey) -> Int? {
        let mask = table.count &- 1
        var entry = Int(key.hash) & mask
        while table[entry] != 0 {
            let place = Int(table[entry]) &- 1
            if keys[place].hash == key.hash, keys[place] == key { return indexes[place] }
            entry = (entry &+ 1) & mask
        }
        return nil
    }

    private mutating func enter(_ place: Int) {
        let mask = table.count - 1
        var entry = Int(keys[place].hash) & mask
        while table[entry] != 0 { entry = (entry + 1) & mask }
        table[entry] = UInt32(truncatingIfNeeded: place + 1)
    }
}
