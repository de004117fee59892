import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore

/// A call of a context, for a decision log.
struct LoggedQuestion {
    let question: LoggedCall.Question
    /// The requested key or id, if the call is for one experience.
    var name = ""
    var castsTypes = true
}

/// An answer that a decision log can contain.
protocol LoggableValue: Sendable {
    /// The answer as a decision log writes it.
    func logged(_ question: LoggedQuestion, in config: ProjectConfig) -> LoggedAnswer
}

extension ConvertContext {
    /// Passes an answer to the decision log, with the data that it depended on.
    ///
    /// - Parameter stored: the stored state before the answer.
    @inline(never)
    func log(
        _ answer: some LoggableValue, to question: LoggedQuestion, _ options: DecisionOptions,
        of visitor: borrowing Visitor,
        knowing stored: VisitorState, _ snapshot: ConfigSnapshot
    ) {
        guard let writer = engine.decisionLog, let config = snapshot.logged, !visitor.isPreviewing,
            writer.wants(visitorID)
        else { return }
        var unwritable: [String] = []
        if options.visitorData != nil { unwritable.append("visitorData") }
        if options.locationData != nil { unwritable.append("locationData") }
        if options.forcedVariations?.isEmpty == false { unwritable.append("forcedVariations") }
        let environment = options.environment.flatMap { $0.isEmpty ? nil : $0 } ?? config.environment
        writer.take(
            DecisionRecord(
                date: engine.time.date, config: config, project: snapshot.project, visitorID: visitorID,
                attributes: visitor.attributes, locationProperties: options.locationProperties, stored: stored,
                environment: environment,
                call: LoggedCall(question.question, castsTypes: question.castsTypes, options),
                unwritable: unwritable, answer: answer.logged(question, in: snapshot.config)))
    }
}

extension Decision: LoggableValue {
    func logged(_ question: LoggedQuestion, in config: ProjectConfig) -> LoggedAnswer {
        LoggedAnswer(member: .decisions, value: [question.name: logged])
    }
}

extension FeatureDecision: LoggableValue {
    func logged(_ question: LoggedQuestion, in config: ProjectConfig) -> LoggedAnswer {
        LoggedAnswer(member: .features, value: logged)
    }
}

extension Array: LoggableValue where Element == Decision {
    func logged(_ question: LoggedQuestion, in config: ProjectConfig) -> LoggedAnswer {
        LoggedAnswer(member: .decisions, value: logged(in: config))
    }

    /// The decisions on all experiences of `config`, by key, for a log. If keys repeat, the first decision counts.
    package func logged(in config: ProjectConfig) -> JSObject {
        var value = JSObject()
        for (experience, decision) in zip(config.experiences, self) {
            let key = experience.entityKey.lookUp
            if value[key] == nil { value[key] = decision.logged }
        }
        return value
    }
}
