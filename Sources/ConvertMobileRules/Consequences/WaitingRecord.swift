internal import ConvertConcurrency

/// A record of the event history that is finished after the event's turn.
struct WaitingRecord {
    /// The history's ticket for it.
    let ticket: Int
    /// What is not handed on if the record turns out not to be new, or cannot be made; `nil` for the event's own record.
    var consequence: ResolvedConsequence?
    /// Whether the consequence asked for the record to be new.
    var onlyIfNew = false
    /// Where it is among what the result says was recorded and handed on.
    var recordedIndex: Int?
    var triggeredIndex: Int?
}

extension MobileRulesResult {
    /// Waits for the records that could not be made during the event's turn, and takes back what depended on those that
    /// were not made at all.
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
