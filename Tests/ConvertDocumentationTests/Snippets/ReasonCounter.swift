import ConvertMonitoring
import Synchronization

final class ReasonCounter: EvaluationHook {
    let counts = Mutex<[String: Int]>([:])

    func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
        counts.withLock { $0["\(evaluation.key): \(answer.reason)", default: 0] += 1 }
    }
}
