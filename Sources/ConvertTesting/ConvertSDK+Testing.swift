public import ConvertECMAScript
public import ConvertSwiftSDK
import ConvertSwiftSDKCore

extension ConvertSDK {
    /// An SDK for an app's tests: it is ready at once, sends nothing, stores and writes nothing, whatever its configuration says,
    /// and records what it would report.
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
    ///   - environment: the environment that is decided in; `nil` means the configuration's.
    ///   - configuration: how it works; its ledger, copy on disk and decision log are left out. Its logger
    ///     takes messages, and its evaluation hook sees questions.
    public convenience init(
        testing project: TestProject, environment: String? = nil,
        configuration: SDKConfiguration = SDKConfiguration()
    ) {
        var configuration = configuration
        if let environment { configuration.environment = environment }
        self.init(testing: project.config, configuration: configuration, sink: EventRecorder())
    }

    /// Puts another project in place, as a refresh does: contexts made from now on decide on it, earlier ones keep theirs.
    public func replaceProject(with project: TestProject) { install(project.config) }

    /// Makes visitors see a variation.
    ///
    /// If the SDK has a project without such an experience or variation, the test fails at this line.
    /// - Parameters:
    ///   - experienceKey: the experience's key.
    ///   - variationKey: the variation's key, or else its id.
    ///   - visitorID: the only visitor that it is forced for; `nil` means all of this SDK.
    ///   - fileID: where the call stands, for a test that fails.
    ///   - filePath: where the call stands.
    ///   - line: where the call stands.
    ///   - column: where the call stands.
    public func force(
        _ experienceKey: String, _ variationKey: String, visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .force(experienceKey, variationKey), visitorID,
            SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Makes visitors have the feature, with these values of its variables.
    ///
    /// If the SDK has a project without such a feature or variable, or with a variable of another type, the test fails at this
    /// line.
    /// - Parameters:
    ///   - featureKey: the feature's key.
    ///   - variables: the variables' values, as an app gets them.
    ///   - visitorID: the only visitor that it is forced for; `nil` means all of this SDK.
    ///   - fileID: where the call stands, for a test that fails.
    ///   - filePath: where the call stands.
    ///   - line: where the call stands.
    ///   - column: where the call stands.
    public func enable(
        _ featureKey: String, variables: JSObject = JSObject(), visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .enable(featureKey, variables: variables), visitorID,
            SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Makes visitors have the feature, with Swift values of its variables; those that are `nil` are left out.
    ///
    ///     sdk.enable("express-pay", variables: ["limit": limit])
    @_disfavoredOverload
    public func enable(
        _ featureKey: String, variables: SwiftProperties, visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .enable(featureKey, variables: variables.object), visitorID,
            SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Makes visitors not have a feature. Its `disabledReason` is `notGiven`.
    ///
    /// If the SDK has a project without such a feature, the test fails at this line.
    /// - Parameters:
    ///   - featureKey: the feature's key.
    ///   - visitorID: the only visitor that it is forced for; `nil` means all of this SDK.
    ///   - fileID: where the call stands, for a test that fails.
    ///   - filePath: where the call stands.
    ///   - line: where the call stands.
    ///   - column: where the call stands.
    public func disable(
        _ featureKey: String, visitorID: String? = nil,
        fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        add(
            .disable(featureKey), visitorID, SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    /// Ends what was forced in this SDK: for one visitor, or altogether.
    public func endForcing(visitorID: String? = nil) { forcedAnswers?.end(visitorID: visitorID) }

    private func add(_ forcing: Forcing, _ visitorID: String?, _ place: SourcePlace) {
        guard let forcedAnswers else {
            return warnTest(
                "nothing can be forced in an SDK that is online; make it by ConvertSDK(testing:), or with mode: .offline."
            )
        }
        for mistake in currentConfig?.mistakes(in: forcing.answers) ?? [] {
            (sink as? EventRecorder)?.note(mistake)
            recordMistake(mistake.text, at: place)
        }
        forcedAnswers.add(forcing.answers, visitorID: visitorID)
    }

    /// What the SDK would have reported so far, in order. Empty for an SDK that was not made for testing.
    public var trackedEvents: [TrackedEvent] { (sink as? EventRecorder)?.events ?? [] }

    /// What the SDK would have reported of one visitor so far, in order.
    public func trackedEvents(of visitorID: String) -> [TrackedEvent] {
        trackedEvents.filter { $0.visitorID.hasSameCodeUnits(as: visitorID) }
    }

    /// Forgets what was recorded so far.
    public func forgetTrackedEvents() { (sink as? EventRecorder)?.forget() }
}
