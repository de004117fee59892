internal import ConvertECMAScript

/// Dotted names of leaves. They determine which objects and arrays need to be traversed.
struct LeafNames: Sendable {
    /// Names in ascending order. Only whole names are stored, because all beginnings of a name with many dots would
    /// take memory quadratic in its length.
    private let names: [[UInt8]]

    init(_ names: some Sequence<PropertyKey>) {
        self.names = names.map { Array($0.name.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Whether one of the names begins with `path` and a dot. Takes time logarithmic in the number of names.
    func hasLeaf(below path: PropertyKey) -> Bool {
        if names.isEmpty { return false }
        var prefix = Array(path.name.utf8)
        prefix.append(UInt8(ascii: "."))
        let place = names.indices.partitioningIndex { !names[$0].lexicographicallyPrecedes(prefix) }
        return place < names.count && names[place].starts(with: prefix)
    }
}
