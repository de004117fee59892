public import ConvertECMAScript
public import ConvertSwiftSDK
import ConvertSwiftSDKCore

extension ConvertSDK {
    /// Creates an SDK for an app's tests. The SDK is ready immediately, and records the events that it would report. It
    /// sends nothing and writes nothing to disk, regardless of its configuration.
    ///
    ///     let sdk = ConvertSDK(testing: TestProject {
    ///         Experience("checkout") {
    ///             Variation("control", weight: 50)
    ///             Variation("green", weight: 50)
    ///         }
    ///         Goal("purchase")
    ///     })
    ///     sdk.force("checkout", "green")
    ///     Shop(convert: sdk).order(visitorID: "visitor-1")
    ///     #expect(sdk.trackedEvents == [
    ///         .exposure("checkout", "green", visitorID: "visitor-1"),
    ///         .conversion("purchase", ["amount": 49.9], visitorID: "visitor-1"),
    ///     ])
    ///
    /// - Parameters:
    ///   - project: the project.
    ///   - environment: the environment to decide in; `nil` means the configuration's environment.
    ///   - configuration: the configuration. Its ledger, copy on disk and decision log are ignored. Its logger and
    ///     evaluation hook are used.
    public convenience init(
        testing project: TestProject, environment: String? = nil,
        configuration: SDKConfiguration = SDKConfiguration()
    ) {
        var configuration = configuration
        if let environment { configuration.environment = environment }
        self.init(testing: project.config, configuration: configuration, sink: EventRecorder())
    }

    /// Replaces the project, like a refresh: new contexts use the new project, and existing contexts keep the old
    /// project.
    public func replaceProject(with project: TestProject) { install(project.config) }

    /// Forces a variation: visitors see it regardless of rules and stored decisions.
    ///
    /// If the SDK's project has no such experience or variation, the test fails at this line.
    ///
    /// - Parameters:
    ///   - experienceKey: the experience's key.
    ///   - variationKey: the variation's key, or else its id.
    ///   - visitorID: the only visitor for whom the variation is forced; `nil` means all visitors of this SDK.
    ///   - fileID: the place of the call, for a failing test.
    ///   - filePath: the place of the call.
    ///   - line: the place of the call.
    ///   - column: the place of the call.
    public func force(
        _ experienceKey: some ConvertKey, _ variationKey: String, visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .force(experienceKey, variationKey), visitorID,
            SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Forces a feature on: visitors have the feature, with these values of its variables.
    ///
    /// If the SDK's project has no such feature or variable, or the variable has another type, the test fails at this
    /// line.
    ///
    /// - Parameters:
    ///   - featureKey: the feature's key.
    ///   - variables: the variables' values, as an app reads them.
    ///   - visitorID: the only visitor for whom the feature is forced; `nil` means all visitors of this SDK.
    ///   - fileID: the place of the call, for a failing test.
    ///   - filePath: the place of the call.
    ///   - line: the place of the call.
    ///   - column: the place of the call.
    public func enable(
        _ featureKey: some ConvertKey, variables: JSObject = JSObject(), visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .enable(featureKey, variables: variables), visitorID,
            SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Forces a feature on like the `enable` above, with Swift values of its variables. Values that are `nil` are left
    /// out.
    ///
    ///     sdk.enable("express-pay", variables: ["limit": limit])
    @_disfavoredOverload
    public func enable(
        _ featureKey: some ConvertKey, variables: SwiftProperties, visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .enable(featureKey, variables: variables.object), visitorID,
            SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Forces a feature off: visitors do not have it, and its `disabledReason` is `notGiven`.
    ///
    /// If the SDK's project has no such feature, the test fails at this line.
    ///
    /// - Parameters:
    ///   - featureKey: the feature's key.
    ///   - visitorID: the only visitor for whom the feature is forced; `nil` means all visitors of this SDK.
    ///   - fileID: the place of the call, for a failing test.
    ///   - filePath: the place of the call.
    ///   - line: the place of the call.
    ///   - column: the place of the call.
    public func disable(
        _ featureKey: some ConvertKey, visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .disable(featureKey), visitorID, SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    /// Removes the forced answers of this SDK: for one visitor, or all answers if `visitorID` is `nil`.
    public func endForcing(visitorID: String? = nil) { forcedAnswers?.end(visitorID: visitorID) }

    private func add(_ forcing: Forcing, _ visitorID: String?, _ place: SourcePlace) {
        guard let forcedAnswers else {
            return warnTest(
                "nothing can be forced in an SDK that is online; create it with ConvertSDK(testing:), or with mode: "
                    + ".offline."
            )
        }
        for mistake in currentConfig?.mistakes(in: forcing.answers) ?? [] {
            (sink as? EventRecorder)?.note(mistake)
            recordMistake(mistake.text, at: place)
        }
        forcedAnswers.add(forcing.answers, visitorID: visitorID)
    }

    /// The events that the SDK would have reported so far, in order. Empty for an SDK that was not created for testing.
    public var trackedEvents: [TrackedEvent] { (sink as? EventRecorder)?.events ?? [] }

    /// The events that the SDK would have reported for one visitor so far, in order. Empty for an SDK that was not
    /// created for testing.
    public func trackedEvents(of visitorID: String) -> [TrackedEvent] {
        trackedEvents.filter { $0.visitorID.hasSameCodeUnits(as: visitorID) }
    }

    /// Removes the events that were recorded so far.
    public func forgetTrackedEvents() { (sink as? EventRecorder)?.forget() }
}
