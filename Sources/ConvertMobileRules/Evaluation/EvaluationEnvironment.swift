internal import ConvertECMAScript

/// What the evaluation of one event reads besides the event: everything that is not in the rules.
struct EvaluationEnvironment {
    /// Milliseconds since 1970, fixed when the evaluation starts.
    let now: Int64
    /// The device's offset from UTC at a time in milliseconds since 1970.
    let secondsFromGMT: @Sendable (Int64) -> Int
    let sdkVersion: String
    /// A number of 1 … 99999999, new for each call.
    let random: @Sendable () -> Int
    let state: @Sendable (String) -> JSObject?
    let history: any EventHistory
}

extension EvaluationEnvironment {
    /// Those of this moment. The profile stands in for a shared state of its name that the app does not have.
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
