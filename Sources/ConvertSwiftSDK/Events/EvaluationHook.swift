public import ConvertSwiftSDKCore

/// One question that a context is asked.
public struct EvaluationCall: Sendable {
    /// What is asked for.
    public enum Subject: Sendable, Hashable {
        /// The experience with the key.
        case experience(key: String)
        /// The experience with the id.
        case experienceID(String)
        /// The feature with the key.
        case feature(key: String)
    }

    /// What is asked for.
    public let subject: Subject

    /// The visitor's id.
    public let visitorID: String

    /// The key, or id, that was asked for.
    public var key: String {
        switch subject {
        case .experience(let key), .experienceID(let key), .feature(let key): key
        }
    }
}

/// Sees every question for one experience or one feature, before and after it is answered: for traces and metrics.
///
///     struct Counter: EvaluationHook {
///         func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {
///             let dimensions = [("key", evaluation.key), ("reason", answer.reason)]
///             Metrics.Counter(label: "flags", dimensions: dimensions).increment()
///         }
///     }
///
/// It is called on the thread that asks, outside of every lock, and the caller waits for it: it must be short. It may
/// ask the SDK; its own questions are seen as well. An SDK without a hook pays nothing for it.
public protocol EvaluationHook: Sendable {
    /// Called before the question is answered.
    func before(_ evaluation: EvaluationCall)

    /// Called with the answer, if there is one.
    func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer)

    /// Called instead of ``after(_:_:)`` if nothing could be decided: there is no config yet, the config does not have
    /// what was asked for, the visitor has no id, rules are malformed, or rule data are missing.
    func failed(_ evaluation: EvaluationCall, _ reason: String)
}

extension EvaluationHook {
    /// Does nothing.
    public func before(_ evaluation: EvaluationCall) {}
    /// Does nothing.
    public func after(_ evaluation: EvaluationCall, _ answer: EvaluationAnswer) {}
    /// Does nothing.
    public func failed(_ evaluation: EvaluationCall, _ reason: String) {}
}

/// What a hook sees of an answer.
public enum EvaluationAnswer: Sendable {
    /// The decision of an experience.
    case decision(Decision)
    /// The feature, from the first experience that carries it.
    case feature(BucketedFeature)

    /// The variation's key, or else its id; whether a feature is `enabled` or `disabled`; `nil` without a variation.
    public var variant: String? {
        switch self {
        case .decision(let decision): decision.variation.map { $0.variationKey ?? $0.variationID }
        case .feature(let feature): feature.status.rawValue
        }
    }

    /// Why it is so, in a word: where a decision came from (`bucketed`, `stored`, `forced`, `preview`), why there is no
    /// variation (`audienceNotMatched`), or why a feature is off (`notGiven`).
    public var reason: String {
        switch self {
        case .decision(let decision):
            decision.variation?.source.rawValue ?? decision.reason?.rawValue ?? "unknown"
        case .feature(let feature): feature.disabledReason?.rawValue ?? "given"
        }
    }
}
