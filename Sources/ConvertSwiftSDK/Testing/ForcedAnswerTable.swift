import ConvertConcurrency
import ConvertECMAScript

/// Forced answers, for all visitors or for single ones.
package final class ForcedAnswerTable: Sendable {
    private struct Answers {
        var ofAll = ForcedAnswers()
        var byVisitor: [PropertyKey: ForcedAnswers] = [:]
    }

    /// The answers forced in all offline SDKs of the process.
    package static let everywhere = ForcedAnswerTable()

    private let answers = Mutex(Answers())

    /// Creates a table without forced answers.
    package init() {}

    /// Forces answers for one visitor, or for all if `visitorID` is `nil`.
    package func add(_ forced: ForcedAnswers, visitorID: String?) {
        answers.withLock { answers in
            guard let visitorID else { return answers.ofAll = answers.ofAll.merging(forced) }
            let key = PropertyKey(visitorID)
            answers.byVisitor[key] = (answers.byVisitor[key] ?? ForcedAnswers()).merging(forced)
        }
    }

    /// Removes the forced answers of one visitor, or all if `visitorID` is `nil`.
    package func end(visitorID: String?) {
        answers.withLock { answers in
            if let visitorID { answers.byVisitor[PropertyKey(visitorID)] = nil } else { answers = Answers() }
        }
    }

    /// The answers forced for a visitor. Those for the visitor take precedence over those for all.
    package func answers(of visitorID: String) -> ForcedAnswers {
        answers.withLock { answers in
            answers.byVisitor.isEmpty
                ? answers.ofAll
                : answers.ofAll.merging(answers.byVisitor[PropertyKey(visitorID)] ?? ForcedAnswers())
        }
    }
}
