public import ConvertECMAScript
import ConvertSwiftSDK

/// One answer that a test forces.
///
///     sdk.force("checkout", "green")                                   // in one SDK
///     sdk.force("checkout", "green", visitorID: "visitor-1")           // for one visitor
///     Forcing.everywhere(.disable("express-pay"))                      // in every offline SDK of the process
///     try await withForced(.force("checkout", "red")) { … }            // in one task
///
/// If several answers force the same experience or feature, the task's answer takes precedence over the visitor's, the
/// visitor's over the SDK's, and the SDK's over the process's. Of several answers of the same kind, the last counts.
///
/// Visitors see a forced variation regardless of audiences, locations, environment, archive and stored decisions. The
/// decision is stored and recorded like any new decision, and replaces a stored decision. For a forced feature, no
/// experience is decided.
///
/// The test fails if the project's experience or feature does not have the forced variation or variable, or if the
/// variable has another type. It also fails if an answer forced in an SDK names an experience or feature that the
/// project does not have. An answer forced by a task, a suite or the process may be meant for another project, so an
/// unknown name in it is only logged.
///
/// Only offline SDKs can be forced, such as those created by
/// ``ConvertSwiftSDK/ConvertSDK/init(testing:environment:configuration:)``. Forced answers are therefore never sent.
public struct Forcing: Sendable {
    let answers: ForcedAnswers

    /// Forces a variation: visitors see it in the experience with this key.
    ///
    /// - Parameters:
    ///   - experienceKey: the experience's key.
    ///   - variationKey: the variation's key, or else its id.
    public static func force(_ experienceKey: String, _ variationKey: String) -> Forcing {
        var answers = ForcedAnswers()
        answers.variations[PropertyKey(experienceKey)] = variationKey
        return Forcing(answers: answers)
    }

    /// Forces a feature on, with these values of its variables.
    ///
    /// - Parameters:
    ///   - featureKey: the feature's key.
    ///   - variables: the variables' values, as an app reads them.
    public static func enable(_ featureKey: String, variables: JSObject = JSObject()) -> Forcing {
        var answers = ForcedAnswers()
        answers.features[PropertyKey(featureKey)] = .enabled(variables: variables)
        return Forcing(answers: answers)
    }

    /// Forces a feature on, with Swift values of its variables. Values that are `nil` are left out.
    @_disfavoredOverload
    public static func enable(_ featureKey: String, variables: SwiftProperties) -> Forcing {
        enable(featureKey, variables: variables.object)
    }

    /// Forces a feature off: visitors do not have the feature with this key.
    public static func disable(_ featureKey: String) -> Forcing {
        var answers = ForcedAnswers()
        answers.features[PropertyKey(featureKey)] = .disabled
        return Forcing(answers: answers)
    }

    /// Forces answers in every offline SDK of the process, until ``endEverywhere()``.
    ///
    /// Tests that run in parallel share the process, so prefer `withForced`, or a separate SDK for each test.
    public static func everywhere(_ forcings: Forcing...) {
        ForcedAnswerTable.everywhere.add(forcings.answers, visitorID: nil)
    }

    /// Removes the answers forced by ``everywhere(_:)``.
    public static func endEverywhere() { ForcedAnswerTable.everywhere.end(visitorID: nil) }
}

extension [Forcing] {
    /// The combined answers. Of several answers for the same name, the last counts.
    var answers: ForcedAnswers { reduce(ForcedAnswers()) { $0.merging($1.answers) } }
}

/// Forces answers while `body` runs, in its task and its child tasks, except for detached ones.
///
///     try await withForced(.force("checkout", "green"), .enable("express-pay")) {
///         let response = try await app.handle(request)
///         …
///     }
///
/// Calls can be nested; the inner call takes precedence. Tests that run in parallel do not affect each other.
public func withForced<Result>(
    _ forcings: Forcing..., isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async rethrows -> Result {
    try await withForced(forcings, body)
}

/// Forces answers while `body` runs, in its task and its child tasks, except for detached ones.
public func withForced<Result>(
    _ forcings: [Forcing], isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    try await ForcedAnswers.$ofTask.withValue(ForcedAnswers.ofTask.merging(forcings.answers), operation: body)
}

/// Forces answers while the synchronous `body` runs.
public func withForced<Result>(_ forcings: Forcing..., body: () throws -> Result) rethrows -> Result {
    try ForcedAnswers.$ofTask.withValue(ForcedAnswers.ofTask.merging(forcings.answers), operation: body)
}
