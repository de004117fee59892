public import ConvertECMAScript
import ConvertSwiftSDK

/// One answer that a test forces.
///
///     sdk.force("checkout", "green")                                   // in one SDK
///     sdk.force("checkout", "green", visitorID: "visitor-1")           // for one visitor
///     Forcing.everywhere(.disable("express-pay"))                      // in every SDK of the process that is offline
///     try await withForced(.force("checkout", "red")) { … }            // in one task
///
/// If several of them force one experience or feature, the task's answer counts before the visitor's, that before the
/// SDK's, and that before the process's; of the same kind the last one counts.
///
/// A forced variation is seen whatever audiences, locations, environment, archive and stored decision say. It is remembered
/// and recorded as any new decision is, in place of what was stored. A forced feature answers for itself: no experience is
/// decided for it.
///
/// A variation or a variable that the project's experience or feature does not have, or a variable of another type, makes the
/// test fail. So does an experience or a feature that the project does not have, if it is forced in an SDK. What a task, a
/// suite or the process forces may be meant for another project: there such a name is only logged.
///
/// Only SDKs that are offline can be forced, as those made by ``ConvertSwiftSDK/ConvertSDK/init(testing:environment:configuration:)``
/// are. So nothing forced is ever sent.
public struct Forcing: Sendable {
    let answers: ForcedAnswers

    /// Visitors see the variation with the key, or else with the id, in the experience with the key.
    public static func force(_ experienceKey: String, _ variationKey: String) -> Forcing {
        var answers = ForcedAnswers()
        answers.variations[PropertyKey(experienceKey)] = variationKey
        return Forcing(answers: answers)
    }

    /// Visitors have the feature, with these values of its variables.
    public static func enable(_ featureKey: String, variables: JSObject = JSObject()) -> Forcing {
        var answers = ForcedAnswers()
        answers.features[PropertyKey(featureKey)] = .enabled(variables: variables)
        return Forcing(answers: answers)
    }

    /// Visitors have the feature, with Swift values of its variables; those that are `nil` are left out.
    @_disfavoredOverload
    public static func enable(_ featureKey: String, variables: SwiftProperties) -> Forcing {
        enable(featureKey, variables: variables.object)
    }

    /// Visitors do not have the feature.
    public static func disable(_ featureKey: String) -> Forcing {
        var answers = ForcedAnswers()
        answers.features[PropertyKey(featureKey)] = .disabled
        return Forcing(answers: answers)
    }

    /// Forces answers in every SDK of the process that is offline, until ``endEverywhere()``.
    ///
    /// Tests that run in parallel share the process: prefer `withForced`, or an SDK for each test.
    public static func everywhere(_ forcings: Forcing...) {
        ForcedAnswerTable.everywhere.add(forcings.answers, visitorID: nil)
    }

    /// Ends what ``everywhere(_:)`` forced.
    public static func endEverywhere() { ForcedAnswerTable.everywhere.end(visitorID: nil) }
}

extension [Forcing] {
    /// What they force together; the last one counts.
    var answers: ForcedAnswers { reduce(ForcedAnswers()) { $0.merging($1.answers) } }
}

/// Forces answers while `body` runs, in its task and the tasks that it begins, except for detached ones.
///
///     try await withForced(.force("checkout", "green"), .enable("express-pay")) {
///         let response = try await app.handle(request)
///         …
///     }
///
/// Calls may nest; the inner one counts. Tests that run in parallel do not see each other's answers.
public func withForced<Result>(
    _ forcings: Forcing..., isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async rethrows -> Result {
    try await withForced(forcings, body)
}

/// Forces answers while `body` runs, in its task and the tasks that it begins, except for detached ones.
public func withForced<Result>(
    _ forcings: [Forcing], isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    try await ForcedAnswers.$ofTask.withValue(ForcedAnswers.ofTask.merging(forcings.answers), operation: body)
}

/// Forces answers while `body` runs.
public func withForced<Result>(_ forcings: Forcing..., body: () throws -> Result) rethrows -> Result {
    try ForcedAnswers.$ofTask.withValue(ForcedAnswers.ofTask.merging(forcings.answers), operation: body)
}
