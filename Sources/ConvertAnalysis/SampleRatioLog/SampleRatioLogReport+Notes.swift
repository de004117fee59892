internal import ConvertECMAScript
internal import Foundation

extension SampleRatioLogReport {
    /// Facts that are not counted, or that the counts do not show: a number and its description.
    ///
    /// Facts that every log contains are included only if no visitor was counted.
    package var notes: [(count: Int, text: String)] {
        func note(_ count: Int, _ noun: String, one: String, many: String, _ rest: String = "") -> (Int, String) {
            (count, (count == 1 ? "\(noun) \(one)" : "\(noun)s \(many)") + rest)
        }
        let configs = unknownConfigs.map { config in
            config.revision.map {
                note(
                    config.lines, "line", one: "names", many: "name",
                    " the config \($0.excerpt().onOneLine), which was not given")
            } ?? note(config.lines, "line", one: "names", many: "name", " no config; give one config only")
        }
        let usual = [
            note(linesWithoutDecision, "line", one: "has", many: "have", " no decision on a tested experience"),
            note(uncounted.withoutVariation, "decision", one: "has", many: "have", " no variation"),
        ]
        let others = [
            note(
                uncounted.storedBefore, "visitor",
                one: "already had a stored variation in its first line, and is not counted",
                many: "already had a stored variation in their first line, and are not counted"),
            note(
                uncounted.undealtBefore, "visitor",
                one: "had no variation under another allocation before, and is not counted",
                many: "had no variation under another allocation before, and are not counted",
                ": it may have left free the bucket values of some variations only"),
            note(
                uncounted.forced, "decision", one: "was forced or previewed, and is not counted",
                many: "were forced or previewed, and are not counted"),
            note(
                uncounted.unknownVariations, "decision", one: "has", many: "have",
                " a variation that the line's config does not give to anybody"),
            note(
                unknownExperiences, "decision", one: "has", many: "have",
                " a variation of an experience that the line's config does not have"),
            note(
                uncounted.untoldFeatures, "answer", one: "about features does", many: "about features do",
                " not tell the variation, because not every variation has features of its own"),
            note(
                linesWithoutTime, "line", one: "has no time such as 2026-11-27T10:00:00Z (RFC 3339), and counts",
                many: "have no time such as 2026-11-27T10:00:00Z (RFC 3339), and count", " for no day"),
            note(
                linesOutOfOrder, "line", one: "is", many: "are",
                " more than a minute earlier than a line before; sort the log by time, because a visitor counts under "
                    + "the config of the visitor's first line, and changes of a visitor's variation follow the order "
                    + "of the lines"),
            note(linesWithholdingAttribute ?? 0, "line", one: "withholds", many: "withhold", " the attribute"),
        ]
        let errors = [
            note(errors, "line", one: "could not be read as a log line", many: "could not be read as log lines")
        ]
        let environments = environmentWarnings.map { ($0.lines, "line\($0.lines == 1 ? "" : "s"): \($0.text)") }
        return (errors + configs + environments + (isEmpty ? usual : []) + others).filter { $0.0 > 0 }
    }
}

extension SampleRatioLogReport {
    /// A sentence about visitors that were not recognized; `nil` if all were.
    package var memoryNote: String? {
        recognizesAllVisitors
            ? nil
            : "There are too many visitors to recognize all that came again: some may be counted twice, and only "
                + "a random part of the visitors counts in the rates without a variation."
    }
}

extension SampleRatioLogReport.Experience {
    /// A sentence about days that are not in calendar order; `nil` if they are.
    package var orderNote: String? {
        isInOrder ? nil : "The log is not sorted by time, so the evidence follows the order of its lines."
    }
}

extension SampleRatioLogReport.Experience {
    /// Sentences about variations that may be lost; empty if no variation may be lost.
    package var possiblyLostNote: [String] {
        guard !possiblyLost.isEmpty else { return [] }
        let names = possiblyLost.map { "'\($0.name.excerpt().onOneLine)'" }
        let expected = zip(names, possiblyLost).map { name, variation in
            "at least \(String(format: "%.0f", variation.expected.rounded(.down))) should have \(name)"
        }
        let visitors = uncounted.undealtBefore.counted("visitor")
        return [
            "\(visitors) had no variation under another allocation before, and have one now: "
                + "\(expected.joined(separator: ", ")), but none has.",
            "So \(names.joined(separator: " and ")) may be lost: visitors get no variation in its place.",
            "The counted visitors do not show this.",
            "Without reasons in the log, a visitor without a variation because of a rule looks the same as one whose "
                + "variation is lost.",
            "A log with reasons, or with new visitors, tells these apart.",
        ]
    }
}

extension SampleRatioLogReport.Experience {
    /// Sentences about an allocation before the log that may explain a mismatch; empty if the shares give no reason to
    /// suppose one.
    package var earlierAllocationNote: [String] {
        guard let earlierAllocation else { return [] }
        let visitors = "the \(uncounted.storedBefore.counted("visitor")) with an older stored variation"
        let facts = [
            "The newly assigned visitors alone do not have the allocated shares.",
            "Together with \(visitors), they do.",
        ]
        switch earlierAllocation {
        case .evident:
            return facts + [
                "The bucket values of these visitors show that the allocation changed before this log begins.",
                "To test the shares, add the log from before that change, and its config.",
            ]
        case .possible:
            return facts + [
                "Either the allocation changed before this log begins, or lines of first visits are missing.",
                "The log does not show which.",
                "To test the shares, add the log from before, and its config.",
            ]
        case .refuted:
            return facts + [
                "But at first they do not: visitors with an older stored variation appear too late.",
                "So an allocation before this log does not explain the mismatch.",
                "Lines of first visits are probably missing.",
            ]
        }
    }
}

extension SampleRatioLogReport.Uncounted {
    /// Counts a decision that the test leaves out.
    mutating func add(_ outcome: LogRatioPart.Outcome) {
        switch outcome {
        case .dealt: break
        case .stored: storedBefore += 1
        case .forced: forced += 1
        case .none, .ineligible: withoutVariation += 1
        case .unallocated, .unknown: unknownVariations += 1
        case .untold: untoldFeatures += 1
        }
    }

    /// Adds the numbers of another experience.
    mutating func add(_ other: SampleRatioLogReport.Uncounted) {
        storedBefore += other.storedBefore
        undealtBefore += other.undealtBefore
        forced += other.forced
        withoutVariation += other.withoutVariation
        unknownVariations += other.unknownVariations
        untoldFeatures += other.untoldFeatures
    }

    var value: JSValue {
        [
            "storedBefore": .integer(storedBefore), "undealtBefore": .integer(undealtBefore),
            "forced": .integer(forced), "withoutVariation": .integer(withoutVariation),
            "unknownVariations": .integer(unknownVariations), "untoldFeatures": .integer(untoldFeatures),
        ]
    }
}
