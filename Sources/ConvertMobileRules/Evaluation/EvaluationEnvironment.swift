internal import ConvertECMAScript

/// The input of an evaluation besides the event and the rules.
struct EvaluationEnvironment {
    /// The start of the evaluation, in milliseconds since 1970.
    let now: Int64
    /// Returns the local offset from UTC in seconds, at a time in milliseconds since 1970.
    let secondsFromGMT: @Sendable (Int64) -> Int
    let sdkVersion: String
    /// Returns a number in 1 … 99999999, new for each call.
    let random: @Sendable () -> Int
    let state: @Sendable (String) -> JSObject?
    let history: any EventHistory
}

extension EvaluationEnvironment {
    /// Creates the current environment. The profile serves as the shared state with its name, unless the app has one.
    init(_ configuration: MobileRulesConfiguration) {
        let states = configuration.sharedStates
        let profile = configuration.profile
        self.init(
            now: configuration.now(), secondsFromGMT: configuration.secondsFromGMT,
            sdkVersion: configuration.sdkVersion, random: configuration.random,
            state: { name in
                states.sharedState(named: name)
                    ?? (name == ClientSideProfile.stateName ? profile.sharedState : nil)
            },
            history: configuration.history)
    }
}
