import ConvertMonitoring
import ConvertSwiftSDKCore
import ConvertLedgers
import ConvertConcurrency
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// What messages say of visitors, under all that can be wrong with a call, a ledger and an endpoint.
struct LogPrivacyTests {
    /// What an app knows of a visitor, each text as no config has it.
    private enum Mark {
        static let visitor = "visitor-7f3a"
        static let name = "diagnosis-code-of-patient"
        static let value = "value-91c0"

        static let all = [visitor, name, value]
    }

    /// An app's error that says more than it should.
    private struct Indiscreet: Error, CustomStringConvertible, LocalizedError {
        var description: String { "\(Mark.visitor) has \(Mark.name) \(Mark.value)" }
        var errorDescription: String? { description }
    }

    private struct FailingLedger: Ledger {
        var isShared: Bool { true }
        func begin() async throws -> UInt32 { 1 }
        func visitor(_ key: String) async throws -> VisitorState? { throw Indiscreet() }
        func commit(_ entries: [LedgerEntry]) async throws -> [LedgerOutcome] { throw Indiscreet() }
        func undelivered(after id: EventID?, limit: Int) async throws -> [StoredEvent] { throw Indiscreet() }
        func owned(_ ids: [EventID]) async throws -> [EventID] { throw Indiscreet() }
        func remove(_ ids: [EventID]) async throws { throw Indiscreet() }
        func forget(_ key: String) async throws { throw Indiscreet() }
        func close() async {}
    }

    private struct FailingSink: DecisionLogSink {
        func write(_ lines: Data) throws { throw Indiscreet() }
    }

    /// A type of an app whose decoding fails with the app's own error.
    private struct Undecodable: Decodable {
        init() {}
        init(from decoder: any Decoder) throws { throw Indiscreet() }
    }

    private let logger = RecordingLogger()
    private let mark = JSValue.string(Mark.value)

    private func configure(_ configuration: inout SDKConfiguration) {
        configuration.logger = logger
        configuration.logLevel = .trace
    }

    /// The fixture's project with a pattern that takes too many steps.
    private static let costly = Data(
        Fixture.json.replacing(
            Fixture.rules("bought", "yes"),
            with: Fixture.rules("bought", #"^(a+)+\\1$"#).replacing(#""equals""#, with: #""regexMatches""#)
        ).utf8)

    private func nested(_ depth: Int, _ innermost: JSValue) -> JSValue {
        var value: JSValue = ["\(Mark.name)": innermost]
        for _ in 0..<depth { value = .array([value]) }
        return value
    }

    private var attributes: JSObject {
        [
            "\(Mark.name)": mark, "plan": .string("pro\(Mark.value)"), "name": "RuleData",
            "bought": .string(String(repeating: "a", count: 20_000) + Mark.value), "country": mark,
            "\(Mark.name)-2": .number(.nan), "\(Mark.name)-3": nested(600, mark),
            "__proto__": mark,
            "\(Mark.name)-4": .number(.infinity), "\(Mark.name)-5": .null,
        ]
    }

    /// Asks for everything there is, mostly in ways that are wrong.
    private func misuse(_ context: ConvertContext) async {
        var options = DecisionOptions()
        options.visitorProperties = attributes
        options.locationProperties = attributes
        options.updatesVisitorProperties = true
        options.forcedVariation = "none"
        options.forcedVariationID = "0"
        for key in ["all", "pros", "home", "unknown"] { context.decide(key, options: options) }
        context.decide(experienceID: "0", options: options)
        context.decideAll(options: options)
        _ = context.features(options: options)
        _ = context.feature("unknown", options: options, experienceKeys: ["unknown"])
        _ = context.decode("flow", default: Undecodable())
        context.updateVisitorProperties(attributes)
        context.setDefaultSegments(["country": nested(600, mark), "\(Mark.name)": mark])
        context.runCustomSegments(["buyers", "unknown"], ruleData: attributes)
        var conversion = ConversionOptions(ruleData: attributes)
        conversion.goalData = [
            ["key": .string(Mark.name), "value": .number(.nan)], nested(600, mark), mark,
            ["key": "amount", "value": mark],
        ]
        conversion.forcesMultipleTransactions = true
        for goal in ["purchase", "big", "unknown"] { context.trackConversion(goal, options: conversion) }
        context.trackConversion(
            "purchase", revenue: .infinity, transactionID: Mark.value, customDimensions: [Mark.value],
            forcesMultipleTransactions: true)
        context.setPreview(parameter: "\(Mark.value).1")
        context.setPreview(experienceID: Mark.value, variationID: Mark.value)
        _ = try? await context.loadPreview(experienceID: Mark.value, variationID: "1")
        _ = context.explain("pros", options: options)
    }

    /// The messages that an operator reads.
    private var important: [String] { logger.messages.filter { $0.level >= .info }.map(\.message) }

    private func expectSilenceAboutVisitors(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        for message in important {
            #expect(!Mark.all.contains { message.contains($0) }, "\(message)", sourceLocation: sourceLocation)
        }
        #expect(Set(important).count >= count, "\(important)", sourceLocation: sourceLocation)
    }

    @Test func messagesAboutMisuseNameNothingOfAVisitor() async throws {
        let config = try ProjectConfig(json: Self.costly)
        let sdk = try Fixture.sdk(source: .fixed(config)) { configure(&$0) }
        let context = sdk.createContext(
            visitorID: Mark.visitor, attributes: attributes, locationProperties: attributes)
        await misuse(context)
        await sdk.shutdown(deadline: .zero)
        await misuse(context)
        expectSilenceAboutVisitors(12)
        #expect(important.contains { $0.contains("regexMatches on 'bought'") }, "the rule's own name is the config's")
        #expect(important.contains { $0.contains("a property is left out") })
        #expect(important.contains { $0.contains("infinite or not a number") })
        let debug = logger.messages.filter { $0.level < .info }.map(\.message)
        #expect(
            debug.contains { $0.contains("'\(Mark.name)-3'") }
                && debug.contains { $0.contains("'\(Mark.name)' is NaN") })
    }

    @Test func messagesAboutLedgersAndEndpointsThatFailNameNothingOfAVisitor() async throws {
        // What waits for time to pass is not waited for.
        let clock = StepClock()
        let ticking = Task {
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(100))
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { ticking.cancel() }
        for status in [nil, 400, 401, 413, 500] {
            let transport = ScriptedTransport { request, index in
                if request.method == "GET" && index == 0 { return HTTPResponse(status: 200, body: Fixture.data) }
                guard request.method == "POST", let status else { throw Indiscreet() }
                return HTTPResponse(status: status, body: Data(Mark.value.utf8))
            }
            let sdk = Fixture.fetchingSDK(clock: clock, transport: transport) {
                configure(&$0)
                $0.ledger = FailingLedger()
                $0.ledgerPatience = .seconds(1)
                $0.decisionLog = DecisionLog(sink: FailingSink())
                $0.queueCapacity = 2
                $0.loadLimit = 1
                $0.configCopyFile = URL(fileURLWithPath: "/proc/no/such/place")
            }
            try await sdk.ready()
            for number in 0..<5 {
                await misuse(
                    await sdk.loadContext(visitorID: "\(Mark.visitor)-\(number)", attributes: attributes))
            }
            _ = try? await sdk.refreshConfig()
            await sdk.flush()
            _ = try? await sdk.forget(visitorID: "\(Mark.visitor)-1")
            await sdk.shutdown(deadline: .zero)
        }
        expectSilenceAboutVisitors(10)
    }

    @Test func messagesAboutConfigsThatFailNameNothingOfAVisitor() async throws {
        for body in ["", "<html>\(Mark.value)", "[\"\(Mark.value)\"]", "{\"error\": \"no\"}"] {
            let sdk = Fixture.fetchingSDK(
                transport: ScriptedTransport { _, _ in HTTPResponse(status: 200, body: Data(body.utf8)) }
            ) { configure(&$0) }
            _ = try? await sdk.ready()
            await misuse(sdk.createContext(visitorID: Mark.visitor, attributes: attributes))
            await sdk.shutdown(deadline: .zero)
        }
        expectSilenceAboutVisitors(2)
    }
}
