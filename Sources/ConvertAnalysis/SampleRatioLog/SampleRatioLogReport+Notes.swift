internal import ConvertECMAScript

extension SampleRatioLogReport {
    /// Facts that are not counted, or that the counts do not show: a number and its description.
    ///
    /// Facts that every log contains are included only if no visitor was counted.
    package var notes: [(count: Int, text: String)] {
        let configs = unknownConfigs.map { config in
            (
                config.lines,
                "lines "
                    + (config.revision.map { "name the config \($0.excerpt().onOneLine), which was not given" }
                        ?? "name no config; give one config only")
            )
        }
        let usual = [
            (linesWithoutDecision, "lines have no decision on a tested experience"),
            (uncounted.withoutVariation, "decisions have no variation"),
        ]
        let others = [
            (
                uncounted.storedBefore,
                "visitors already had a stored variation in their first line, and are not counted"
            ),
            (
                uncounted.undealtBefore,
                "visitors had no variation under another allocation before, and are not counted: it may have left "
                    + "free the bucket values of some variations only"
            ),
            (uncounted.forced, "decisions were forced or previewed, and are not counted"),
            (uncounted.unknownVariations, "decisions have a variation that their config does not give to anybody"),
            (unknownExperiences, "decisions have a variation of an experience that their config does not have"),
            (
                uncounted.untoldFeatures,
                "answers about features do not tell the variation, because not every variation has features of its own"
            ),
            (linesWithoutTime, "lines have no time such as 2026-11-27T10:00:00Z (RFC 3339), and count for no day"),
            (
                linesOutOfOrder,
                "lines are more than a minute earlier than a line before them; sort the log by time, because a visitor "
                    + "counts under the config of the visitor's first line, and changes of a visitor's variation "
                    + "follow the order of the lines"
            ),
            (linesWithholdingAttribute ?? 0, "lines withhold the attribute"),
        ]
        let errors = [(errors, "lines could not be read as log lines")]
        let environments = environmentWarnings.map { ($0.lines, "lines: \($0.text)") }
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
