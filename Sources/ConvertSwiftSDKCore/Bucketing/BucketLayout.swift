package import ConvertECMAScript

/// Which of the two layouts an experience's arms have.
public enum BucketLayoutKind: String, Sendable, Codable, BitwiseCopyable {
    /// Running arms side by side from 0 on, up to experience version 11.
    case packed
    /// Arms at places that do not move when another one stops, above version 11.
    case anchored
}

/// The ranges of bucket values that an experience's arms own.
package struct BucketLayout: Sendable {
    /// One arm's range: bucket values from `start` up to but not including `end`.
    package struct Range: Sendable, BitwiseCopyable {
        package let start: Double
        package let end: Double
        /// Index of the variation in the experience.
        package let variation: Int
    }

    package let kind: BucketLayoutKind
    package let ranges: [Range]

    /// The layout that the experience's version asks for.
    package init(variations: [Variation], version: Double) {
        kind = BucketLayoutKind(version: version)
        var ranges: [Range] = []
        kind.appendRanges(of: variations, to: &ranges)
        self.ranges = ranges
    }

    /// Index of the variation that owns `value`, the first one if ranges overlap, or `nil` if none does.
    package func variation(for value: Double) -> Int? {
        ranges.withUnsafeBufferPointer { BucketingManager.variation(for: value, among: $0, kind) }
    }
}

extension BucketLayoutKind {
    /// What the version of an experience asks for. One that is no number is not above 11.
    package init(version: Double) { self = version > 11 ? .anchored : .packed }

    /// What is stored of a visitor who is bucketed into the arm with `id`.
    package func storedValue(of id: EntityID) -> JSValue {
        // The packed layout's arms are keys of an object in the reference, hence text; the anchored layout's stay as they are.
        self == .anchored ? id.value : id.key.value
    }

    /// Appends the ranges of the arms that take visitors.
    func appendRanges(of variations: [Variation], to ranges: inout [BucketLayout.Range]) {
        switch self {
        case .packed: appendPackedRanges(of: variations, to: &ranges)
        case .anchored: appendAnchoredRanges(of: variations, to: &ranges)
        }
    }

    /// Whether the arm with `range` takes `value`, if no arm before it does.
    @inline(__always)
    func gives(_ value: Double, to range: BucketLayout.Range) -> Bool {
        switch self {
        // The reference walks the packed edges upwards and looks at nothing but the upper one.
        case .packed: value < range.end
        case .anchored: value >= range.start && value < range.end
        }
    }
}
