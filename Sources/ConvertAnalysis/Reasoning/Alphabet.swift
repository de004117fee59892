internal import ConvertECMAScript

/// What texts of a search are spelled with: one scalar for all that no machine tells apart.
struct Alphabet {
    struct Symbol {
        let scalar: UInt32
        /// The scalar in UTF-16, and its lower case.
        let units: [UInt16]
        let lower: [UInt16]
    }

    private(set) var symbols: [Symbol] = []

    /// The letters for `machines`.
    ///
    /// If all of them read the lower case of a text, only texts in lower case are spelled: the others are answered
    /// alike.
    /// - Parameter separator: a unit that must be told apart from all others.
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
        /// How many runs begin up to a scalar.
        func run(of scalar: UInt32) -> Int { starts.indices.partitioningIndex { UInt32(starts[$0]) > scalar } }
        // Letters of one run of units whose lower case is in one run too are alike, and most are.
        var runs: Set<Int> = []
        for (scalar, lower) in ECMAScript.lowerCaseMappings {
            let isNew = scalar > 0xFFFF || runs.insert(run(of: scalar) * (starts.count + 1) + run(of: lower)).inserted
            if isNew { add(scalar, lower: Self.units(of: lower)) }
        }
        add(0x130, lower: [0x69, 0x307])
        // Which of them Σ becomes depends on what stands around it. Both are tried; what comes of it is replayed.
        add(0x3A3, lower: [0x3C3])
        add(0x3A3, lower: [0x3C2])
    }

    /// Scalars of two units, where some machine tells their units apart from those of other scalars.
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

    /// ASCII in lower case, what people read best first.
    private static let plainScalars: [UInt32] =
        Array("abcdefghijklmnopqrstuvwxyz0123456789-_./ @:,+%&=?!#$*;<>()[]{}|\\\"'^`~".unicodeScalars.map(\.value))

    private static let hasLowerCase = Set(ECMAScript.lowerCaseMappings.map(\.scalar) + [0x130, 0x3A3])

    /// The first scalar of a range that is in lower case.
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
