/// Back references.
extension Backtracker {
    /// BackreferenceMatcher (22.2.2.7.2). A group that is not set, or is still open, matches the empty text.
    mutating func matchesReference(_ reference: Program.Reference, _ position: inout Int) -> Bool {
        budget -= reference.groups.count >> 2
        guard
            let group = reference.groups.first(where: {
                scratch.registers[2 * $0] >= 0 && scratch.registers[2 * $0 + 1] >= 0
            })
        else { return true }
        let (start, end) = (Int(scratch.registers[2 * group]), Int(scratch.registers[2 * group + 1]))
        var captured = reference.isBackward ? end : start
        let stop = reference.isBackward ? start : end
        // Case variants of a letter can differ in length. Without case folding, the two texts have the same length.
        let room = reference.isBackward ? position : input.count - position
        guard reference.ignoreCase || end - start <= room else { return false }
        var next = position
        var compared = 0
        defer { budget -= compared >> 2 }
        while captured != stop {
            compared += 1
            let (left, right) = (readPoint(&captured, reference), readPoint(&next, reference))
            guard let left, let right else { return false }
            if left == right { continue }
            budget -= 2
            guard reference.ignoreCase, reference.canonical(left) == reference.canonical(right) else { return false }
        }
        position = next
        return true
    }

    /// Reads a unit, or a code point if the reference compares code points.
    @inline(__always)
    private func readPoint(_ position: inout Int, _ reference: Program.Reference) -> UInt32? {
        guard let unit = read(&position, reference.isBackward) else { return nil }
        guard reference.isUnicode, unit & 0xf800 == 0xd800, let other = read(&position, reference.isBackward) else {
            return UInt32(unit)
        }
        let (lead, trail) = reference.isBackward ? (other, unit) : (unit, other)
        return 0x10000 &+ (UInt32(lead) & 0x3ff) << 10 &+ UInt32(trail) & 0x3ff
    }
}

extension Program.Reference {
    /// The form in which a unit or code point is compared when case is ignored.
    fileprivate func canonical(_ point: UInt32) -> UInt32 {
        isUnicode ? SimpleFolding.canonical(point) : UInt32(Canonicalize.unit(UInt16(truncatingIfNeeded: point)))
    }
}
