import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Foundation
import Testing

@testable import ConvertSwiftSDK

/// The article's tables from the JavaScript SDK's names to ours.
struct JavaScriptNamesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Uses every name of the right columns, as it stands there.
    @Test func everyNameExists() async throws {
        let (key, id, text) = ("all", "900", "90.900")
        let keys = [key]
        var configuration = SDKConfiguration()
        configure(&configuration)
        let transport = ScriptedTransport { request, _ in
            HTTPResponse(status: 200, body: request.method == "GET" ? Fixture.data : Data())
        }
        _ = ConvertSDK.init(sdkKey:environment:secret:mode:configuration:transport:)
        let (config, json) = (try Fixture.config(), Fixture.data)
        let file = Self.root.appending(path: "TestVectors/configs/demo-shop.json")
        _ = try (ConvertSDK(config: config), ConvertSDK(configData: json), ConvertSDK(configFile: file))

        let sdk = Fixture.fetchingSDK(transport: transport) { $0 = configuration }
        try await sdk.ready(timeout: .seconds(5))
        try await sdk.refreshConfig()
        let told = RecordingListener()
        let listener: @Sendable (SDKEvent) -> Void = { told.take($0) }
        let subscription = sdk.onEvent(listener)
        let events = sdk.events()

        let attributes: JSObject = ["plan": "pro"]
        let context = sdk.createContext(visitorID: id, attributes: attributes)
        _ = await sdk.loadContext(visitorID: id)
        var options = DecisionOptions()
        ask(&options)
        _ = (context.selectVariation(key, options: options), context.decide(key), context.explain(key))
        _ = (context.selectVariations(options: options), context.decideAll(), context.decide(experienceID: id))
        let feature = context.feature(key)
        _ = (context.allFeatures(key), context.features(), context.decideFeatures())
        _ = context.allFeatures(key, experienceKeys: keys, castsTypes: false)
        _ = (feature.boolean("x"), feature.integer("x"), feature.number("x"), feature.string("x"), feature.object("x"))
        _ = (
            context.isFeatureEnabled(key), context.isFeatureDeclared(key), context.config?.features[key: key]?.variables
        )

        var conversion = ConversionOptions()
        _ = (conversion.ruleData, conversion.goalData, conversion.forcesMultipleTransactions)
        conversion.ruleData = nil
        context.trackConversion(key, revenue: 49.9, productsCount: 2, transactionID: "t-1")
        context.trackConversion(key, options: conversion)
        let (segments, data, properties) = (attributes, attributes, attributes)
        context.setDefaultSegments(segments)
        context.runCustomSegments(keys, ruleData: data)
        context.updateVisitorProperties(properties)
        _ = (
            context.config?.experiences[key: key], context.config?.experiences.flatMap(\.variations)[key: key],
            context.config?.features[key: key]
        )
        _ = (context.config?.goals[key: key], context.config?.audiences[key: key], context.config?.locations[key: key])
        _ = (context.config?.segments[key: key], context.config?.experiences[id: id], context.config?.experiences)
        _ = (context.visitorData, context.isPreviewing)
        context.setPreview(experienceID: id, variationID: id)
        context.setPreview(parameter: text)
        _ = try await context.loadPreview(experienceID: id, variationID: id)

        sdk.setTrackingEnabled(true)
        #expect(sdk.isTrackingEnabled && sdk.isReady)
        await sdk.flush()
        subscription.cancel()
        await sdk.shutdown(deadline: .seconds(10))
        for await event in events { name(event) }
        #expect(told.events.contains(.ready))
    }

    private func configure(_ configuration: inout SDKConfiguration) {
        _ = (configuration.environment, configuration.configEndpoint, configuration.trackEndpoint)
        _ = (configuration.bucketing, configuration.ledger, configuration.visitorCapacity)
        _ = (configuration.refreshInterval, configuration.configCopyFile, configuration.batchSize)
        _ = (configuration.releaseInterval, configuration.queueCapacity, configuration.queueByteCapacity)
        _ = (configuration.queueOverflow, configuration.loadLimit, configuration.loadTimeout)
        _ = (configuration.ledgerPatience, configuration.keysAreCaseSensitive, configuration.semantics)
        _ = (configuration.logLevel, configuration.logger, configuration.isTrackingEnabled, configuration.source)
        _ = (configuration.cacheLevel, configuration.debugToken, configuration.trackingBodyMapper)
        configuration.logLevel = .silent
    }

    private func ask(_ options: inout DecisionOptions) {
        _ = (options.environment, options.visitorProperties, options.updatesVisitorProperties)
        _ = (options.locationProperties, options.ignoresLocationProperties, options.forcedVariationID)
        _ = (options.isTrackingEnabled, options.isStorageEnabled, options.suppressesEvents)
        let data: (any RuleData)? = options.visitorData
        _ = (data, options.locationData)
        options.isTrackingEnabled = false
    }

    private func name(_ event: SDKEvent) {
        switch event {
        case .ready, .configUpdated, .configRefreshFailed, .configRefreshRecovered, .bucketing, .feature, .conversion,
            .segments:
            break
        case .locationActivated, .locationDeactivated, .queueReleased, .eventsRejected, .storeReleased, .ledgerFailed,
            .ledgerRecovered:
            break
        }
    }

    @Test func theArticleNamesNothingElse() throws {
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let path = "Sources/ConvertSwiftSDK/ConvertSwiftSDK.docc/ComingFromJavaScript.md"
        let article = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let tables = try #require(article.split(separator: "## What is left out").first)
        var names: [Substring] = []
        for line in tables.split(separator: "\n") where line.hasPrefix("| ") && !line.hasPrefix("| ---") {
            let spans = line.split(separator: " | ").last?.split(separator: "`", omittingEmptySubsequences: false) ?? []
            names += spans.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }
        #expect(names.count > 90)
        for name in names { #expect(source.contains(name), "\(name)") }
    }
}
