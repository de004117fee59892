internal import ConvertConcurrency

/// A record of the event history that is finished after the event's turn.
struct WaitingRecord {
    /// The history's ticket for the record.
    let ticket: Int
    /// The consequence that is not passed on if the record fails or is not new; `nil` for the event's own record.
    var consequence: ResolvedConsequence?
    /// Whether the consequence requires the record to be new.
    var onlyIfNew = false
    /// The record's index among those in the result.
    var recordedIndex: Int?
    var triggeredIndex: Int?
}

extension MobileRulesResult {
    /// Waits for the records that could not be written during the event's turn. Removes from the result what depended
    /// on records that failed.
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
