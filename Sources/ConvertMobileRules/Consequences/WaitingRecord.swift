internal import ConvertConcurrency

/// A record of the event history that is finished after the event's turn.
struct WaitingRecord {
    /// The history's ticket for the record.
    let ticket: Int
    /// The consequence that requested the record; `nil` for the event's own record.
    var consequence: ResolvedConsequence?
    /// Whether the consequence requires the record to be new. If the record then fails or is not new, the consequence
    /// is removed from the result.
    var onlyIfNew = false
    /// The record's index in ``MobileRulesResult/recorded``.
    var recordedIndex: Int?
    var triggeredIndex: Int?
}

extension MobileRulesResult {
    /// Waits for the records that could not be written during the event's turn. Removes the consequences from the
    /// result that required a new record, if the record failed or was not new.
    mutating func finishRecords(in history: any EventHistory) {
        guard !waitingRecords.isEmpty, let history = history as? any DeferringEventHistory else { return }
        let outcomes = history.finish(waitingRecords.map(\.ticket))
        var takenBack: [WaitingRecord] = []
        for (record, outcome) in zip(waitingRecords, outcomes) {
            switch outcome {
            case .success(true): continue
            case .success(false): takenBack.append(record)
            case .failure(let error):
                warnings.append(record.warning(error))
                if record.onlyIfNew { takenBack.append(record) }
            }
        }
        waitingRecords = []
        for record in takenBack.reversed() {
            if let index = record.recordedIndex { recorded.remove(at: index) }
            if let index = record.triggeredIndex { triggered.remove(at: index) }
        }
    }
}

extension WaitingRecord {
    fileprivate func warning(_ error: any Error) -> MobileRulesWarning {
        guard let consequence else {
            return MobileRulesWarning(at: "event history", "the event is recorded later. \(error.forLog)")
        }
        let fault = onlyIfNew ? "skipped: the event history failed" : "the event history records it later"
        return consequence.warning("\(fault). \(error.forLog)")
    }
}
