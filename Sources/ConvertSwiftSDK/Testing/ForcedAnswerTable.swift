import ConvertConcurrency
import ConvertECMAScript

/// Answers that are forced for all visitors, and for some.
package final class ForcedAnswerTable: Sendable {
    private struct Answers {
        var ofAll = ForcedAnswers()
        var byVisitor: [PropertyKey: ForcedAnswers] = [:]
    }

    /// What is forced in every SDK of the process that is offline.
    package static let everywhere = ForcedAnswerTable()

    private let answers = Mutex(Answers())

    /// Nothing is forced.
    package init() {}

    /// Forces `forced` for one visitor, or for all.
    package func add(_ forced: ForcedAnswers, visitorID: String?) {
        answers.withLock { answers in
            guard let visitorID else { return answers.ofAll = answers.ofAll.merging(forced) }
            let key = PropertyKey(visitorID)
            answers.byVisitor[key] = (answers.byVisitor[key] ?? ForcedAnswers()).merging(forced)
        }
    }

    /// Ends what is forced, for one visitor or altogether.
    package func end(visitorID: String?) {
        answers.withLock { answers in
            if let visitorID { answers.byVisitor[PropertyKey(visitorID)] = nil } else { answers = Answers() }
        }
    }

    /// What is forced for a visitor: of one experience or feature what is said of the visitor counts first.
    package func answers(of visitorID: String) -> ForcedAnswers {
        answers.withLock { answers in
            answers.byVisitor.isEmpty
                ? answers.ofAll
                : answers.ofAll.merging(answers.byVisitor[PropertyKey(visitorID)] ?? ForcedAnswers())
        }
    }
}
