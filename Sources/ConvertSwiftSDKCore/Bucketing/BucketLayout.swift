import ConvertConcurrency
package import ConvertECMAScript

/// The layout of an experience's arms over the bucket values.
public enum BucketLayoutKind: String, Sendable, Codable, BitwiseCopyable {
    /// Running arms are placed side by side, starting at 0. Used up to experience version 11.
    case packed
    /// An arm keeps its place when another arm stops. Used above experience version 11.
    case anchored
}

/// The ranges of bucket values that an experience's arms own.
package struct BucketLayout: Sendable {
    /// The bucket values of one arm: from `start` up to but not including `end`.
    package struct Range: Sendable, BitwiseCopyable {
        package let start: Double
        package let end: Double
        /// Index of the variation in the experience.
        package let variation: Int
    }

    package let kind: BucketLayoutKind
    package let ranges: [Range]

    package init(variations: [ProjectConfig.Variation], version: Double) {
        kind = BucketLayoutKind(version: version)
        ranges = kind == .packed ? packedRanges(of: variations) : anchoredRanges(of: variations)
        Invariant.check(
            ranges.allSatisfy { variations.indices.contains($0.variation) }, "every range is a variation's")
        Invariant.check(
            kind == .anchored || zip(ranges, ranges.dropFirst()).allSatisfy { $0.end == $1.start },
            "packed ranges lie side by side")
    }

    /// The index of the variation that takes `value`, like ``BucketingManager/variation(for:among:_:)``.
    package func variation(for value: Double) -> Int? {
        ranges.withElements { BucketingManager.variation(for: value, among: $0, kind) }
    }
}

extension BucketLayoutKind {
    /// The layout kind for an experience version. NaN counts as not above 11.
    package init(version: Double) { self = version > 11 ? .anchored : .packed }

    /// The value to store for a visitor who is bucketed into the arm with `id`.
    package func storedValue(of id: EntityID) -> JSValue {
        // In the packed layout the reference uses ids as object keys, so they become text. The anchored layout keeps
        // their type.
        self == .anchored ? id.value : id.key.value
    }

    /// Whether the arm with `range` takes `value`, assuming that no earlier arm takes it.
    @inline(__always)
    func gives(_ value: Double, to range: BucketLayout.Range) -> Bool {
        switch self {
        // The reference walks the packed ranges in ascending order and compares only the upper bound.
        case .packed: value < range.end
        case .anchored: value >= range.start && value < range.end
        }
    }
}
