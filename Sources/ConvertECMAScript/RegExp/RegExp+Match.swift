extension RegExp {
    /// The result of `exec`: the ranges of the match and of each group, in UTF-16 code units.
    ///
    /// Group 0 is the whole match. A value type; safe to share between threads.
    public struct Match: Sendable {
        /// The text that was searched.
        public let input: String
        /// Start and end of each group; -1 for a group that did not participate.
        private let registers: [Int32]
        private let namedGroups: [PatternTree.NamedGroups]

        init(input: String, registers: [Int32], names: [PatternTree.NamedGroups]) {
            self.input = input
            self.registers = registers
            namedGroups = names
        }

        /// The range of the match, in UTF-16 code units.
        public var range: Range<Int> { self.range(of: 0) ?? 0..<0 }

        /// Number of capturing groups in the pattern.
        public var groupCount: Int { registers.count / 2 - 1 }

        /// The names of the pattern's groups, in order of their first occurrence.
        public var groupNames: [String] { namedGroups.map(\.name) }

        /// The range of group `number` in UTF-16 code units, or `nil` if the group did not participate or does not
        /// exist.
        public func range(of number: Int) -> Range<Int>? {
            guard number >= 0, number <= groupCount, registers[2 * number] >= 0 else { return nil }
            return Int(registers[2 * number])..<Int(registers[2 * number + 1])
        }

        /// The range of the group `name` in UTF-16 code units, or `nil` if no group with that name participated.
        ///
        /// Several groups may share a name if they are in different alternatives; at most one of them participates.
        public func range(of name: String) -> Range<Int>? {
            let group = namedGroups.first { $0.name.utf8.elementsEqual(name.utf8) }
            return group?.numbers.lazy.compactMap { self.range(of: $0) }.first
        }

        /// The range of group `number` in `input`, or `nil` as for `range(of:)`. Takes time linear to the input.
        ///
        /// The indices are indices of `input.utf16`, because a group can begin or end within a surrogate pair.
        public func indices(of number: Int) -> Range<String.Index>? { self.range(of: number).map(indices) }

        /// The range of the group `name` in `input`, or `nil` as for `range(of:)`.
        public func indices(of name: String) -> Range<String.Index>? { self.range(of: name).map(indices) }

        /// The text of group `number`, or `nil` if the group did not participate or does not exist. Half of a surrogate
        /// pair becomes U+FFFD, because a Swift string cannot hold it.
        public subscript(number: Int) -> String? { self.range(of: number).map(text) }

        /// The text of the group `name`, or `nil` if no group with that name participated. Half of a surrogate pair
        /// becomes U+FFFD.
        public subscript(name: String) -> String? { self.range(of: name).map(text) }

        private func indices(_ range: Range<Int>) -> Range<String.Index> {
            let units = input.utf16
            let start = units.index(units.startIndex, offsetBy: range.lowerBound)
            return start..<units.index(start, offsetBy: range.count)
        }

        private func text(_ range: Range<Int>) -> String {
            String(decoding: input.utf16[indices(range)], as: UTF16.self)
        }
    }
}
