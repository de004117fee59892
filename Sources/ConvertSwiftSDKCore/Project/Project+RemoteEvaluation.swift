internal import ConvertECMAScript

/// Facts of a compiled config that remote evaluation reports.
extension Project {
    /// A number that identifies this compiled config within the process. It is never reused, not even after the
    /// config's release.
    package var identity: UInt64 { serial }

    /// Whether the layout of the experience at `index` maps every bucket value to the same variation.
    package func givesAllTrafficToOneArm(experienceAt index: Int) -> Bool {
        let ranges = experiences.ranges[experiences[index].ranges].filter { $0.end > $0.start }
        guard ranges.count == 1, let arm = ranges.first else { return false }
        return arm.start <= 0 && arm.end >= bucketing.options.maxTraffic
    }

    /// Whether variations carry the declared feature at `index`, all of them in archived experiences.
    package func isCarriedByArchivedExperiencesOnly(featureAt index: Int) -> Bool {
        let carriers = features.carriers(of: index)
        return carriers.count > 0
            && carriers.indices.allSatisfy { experiences[features.carrier(at: $0)].isArchived }
    }
}
