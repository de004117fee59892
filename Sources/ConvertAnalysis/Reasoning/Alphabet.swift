internal import ConvertECMAScript

/// The alphabet for spelling a search's texts: one scalar for each class of scalars that the machines treat alike.
struct Alphabet {
    struct Symbol {
        let scalar: UInt32
        /// The scalar's code units, and those of its lower case.
        let units: [UInt16]
        let lower: [UInt16]
    }

    private(set) var symbols: [Symbol] = []

    /// Creates an alphabet for `machines`.
    ///
    /// If all machines read a text's lower case, the alphabet contains only lower case, because other texts get the
    /// same answers.
    /// - Parameter separator: a unit that gets a symbol of its own.
    init(for machines: [any TextMachine], separator: UInt16? = nil) {
        let needsCase = !machines.allSatisfy(\.readsLowerCase)
        var boundaries = Set(machines.flatMap(\.boundaries))
        if let separator { boundaries.formUnion([separator, separator + 1]) }
        var known: Set<[Int]> = []
        func add(_ scalar: UInt32, lower: [UInt16]) {
            let units = Self.units(of: scalar)
            var signature = machines.flatMap { machine in
                (machine.readsLowerCase ? lower : units).map { machine.unitClass(of: $0) }
            }
            signature.append(units.count * 4 + lower.count)
            signature.append(separator != nil && units == [separator] ? 1 : 0)
            guard known.insert(signature).inserted else { return }
            symbols.append(Symbol(scalar: scalar, units: units, lower: lower))
        }
        func addPlain(_ scalar: UInt32) { add(scalar, lower: Self.units(of: scalar)) }
        for scalar in Self.plainScalars { addPlain(scalar) }
        if needsCase { for scalar in UInt32(0x41)...0x5A { add(scalar, lower: [UInt16(scalar) + 0x20]) } }
        let starts = boundaries.sorted()
        for (index, start) in starts.enumerated() where !Self.isSurrogate(start) {
            let end = index + 1 < starts.count ? UInt32(starts[index + 1]) : 0x10000
            if let scalar = Self.lowerCaseScalar(from: UInt32(start), before: end) { addPlain(scalar) }
        }
        addPairs(boundaries, add: addPlain)
        guard needsCase else { return }
        /// The number of runs that begin at or before a scalar.
        func run(of scalar: UInt32) -> Int { starts.indices.partitioningIndex { UInt32(starts[$0]) > scalar } }
        // Letters are alike if they are in one run of units and their lower cases are too. Most letters are.
        var runs: Set<Int> = []
        for (scalar, lower) in ECMAScript.lowerCaseMappings {
            let isNew = scalar > 0xFFFF || runs.insert(run(of: scalar) * (starts.count + 1) + run(of: lower)).inserted
            if isNew { add(scalar, lower: Self.units(of: lower)) }
        }
        add(0x130, lower: [0x69, 0x307])
        // The lower case of Σ depends on its context. The search tries both, and checks its result on the rule engine.
        add(0x3A3, lower: [0x3C3])
        add(0x3A3, lower: [0x3C2])
    }

    /// Adds scalars of two units, if some machine distinguishes their units.
    private func addPairs(_ boundaries: Set<UInt16>, add: (UInt32) -> Void) {
        let leads = boundaries.filter { (0xD800...0xDBFF).contains($0) }.union([0xD83D, 0xD800])
        let trails = boundaries.filter { (0xDC00...0xDFFF).contains($0) }.union([0xDE00, 0xDC00])
        guard leads.count > 2 || trails.count > 2 || boundaries.contains(0xE000) else { return }
        for lead in leads.sorted() {
            for trail in trails.sorted() {
                let scalar = 0x10000 + (UInt32(lead) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
                if !Self.hasLowerCase.contains(scalar) { add(scalar) }
            }
        }
    }

    private static func units(of scalar: UInt32) -> [UInt16] {
        if scalar < 0x10000 { return [UInt16(scalar)] }
        return [UInt16((scalar - 0x10000) >> 10 + 0xD800), UInt16((scalar - 0x10000) & 0x3FF + 0xDC00)]
    }

    private static func isSurrogate(_ unit: UInt16) -> Bool { (0xD800...0xDFFF).contains(unit) }

    /// ASCII scalars without upper case, the most readable first.
    static let plainScalars: [UInt32] =
        Array("abcdefghijklmnopqrstuvwxyz0123456789-_./ @:,+%&=?!#$*;<>()[]{}|\\\"'^`~".unicodeScalars.map(\.value))

    private static let hasLowerCase = Set(ECMAScript.lowerCaseMappings.map(\.scalar) + [0x130, 0x3A3])

    /// The first lower-case scalar of a range; `nil` if the range contains no lower-case scalar.
    private static func lowerCaseScalar(from start: UInt32, before end: UInt32) -> UInt32? {
        var scalar = start
        while scalar < end {
            if (0xD800...0xDFFF).contains(scalar) { return nil }
            if !hasLowerCase.contains(scalar) { return scalar }
            scalar += 1
        }
        return nil
    }
}
