import ConvertLedgers
import ConvertConcurrency
import ConvertECMAScript
import ConvertMonitoring
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import ConvertTestSupport
import ConvertTransport
import Foundation

/// One server decides, refreshes its config, tracks and is shut down, all at once. Its endpoint fails now and then.
struct ServerScenario {
    let ledger: (any Ledger)?

    private static let workers = 8
    private static let rounds = 60
    /// How long anything may take. Under a sanitizer on a busy machine it takes much longer than usual.
    private static let patience = Duration.seconds(600)

    private static let config = Data(
        """
        {"account_id": "10", "project": {"id": "20"}, "goals": [{"id": "4", "key": "purchase"}],
        "audiences": [{"id": "1", "key": "pro", "rules": {"OR": [{"AND": [{"OR_WHEN": [{
        "rule_type": "generic_text_key_value", "key": "plan", "value": "pro",
        "matching": {"match_type": "equals", "negated": false}}]}]}]}}],
        "features": [{"id": "6", "key": "flow", "variables": [{"key": "on", "type": "boolean"}]}],
        "experiences": [{"id": "90", "key": "all", "variations": [
        {"id": "900", "key": "all-a", "traffic_allocation": 50},
        {"id": "901", "key": "all-b", "traffic_allocation": 50, "changes": [{"type": "fullStackFeature", "data":
        {"feature_id": "6", "variables_data": {"on": "true"}}}]}]},
        {"id": "91", "key": "pros", "audiences": ["1"], "variations": [{"id": "910", "key": "pros-a"}]}]}
        """.utf8)

    func run(_ check: inout Check) async throws {
        let fetches = Atomic<Int>(0)
        let delivered = Mutex<[String: [Int]]>([:])
        let transport = ScriptedTransport { request, index in
            guard request.method == "POST" else {
                let fetch = fetches.add(1, ordering: .relaxed).newValue
                return switch fetch % 5 {
                case 1, 2: HTTPResponse(status: 200, body: Self.config)
                case 3: HTTPResponse(status: 500)
                default: HTTPResponse(status: 200, body: Data("{".utf8))
                }
            }
            if index % 7 == 0 { throw ScriptedTransport.Unreachable() }
            delivered.withLock { delivered in
                for (visitor, number) in NumberedConversion.all(in: request.body) {
                    delivered[visitor, default: []].append(number)
                }
            }
            return HTTPResponse(status: 200)
        }
        let sdk = ConvertSDK(sdkKey: "10/20", configuration: configuration, transport: transport)
        try await sdk.ready(timeout: Self.patience)
        let listener = Task { for await _ in sdk.events(bufferingNewest: 10) {} }
        let shared = sdk.createContext(visitorID: "shared", attributes: ["plan": "pro"])
        await Self.amidUpkeep(of: sdk) { group in
            for worker in 0..<Self.workers {
                group.addTask { await Self.work("worker \(worker)", sdk, shared) }
            }
        }
        let counts = sdk.deliveryCounts
        check.expect(counts.accepted == counts.delivered + counts.queued + counts.rejectedTotal, "\(counts) adds up")
        let late = Task.detached {
            await Self.amidUpkeep(of: sdk) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for index in 0..<200 {
                            sdk.createContext(visitorID: "late \(worker), \(index)").decideAll()
                            await Task.yield()
                        }
                    }
                }
            }
        }
        let report = await sdk.shutdown(deadline: Self.patience)
        await late.value
        await listener.value
        let end = sdk.deliveryCounts
        check.expect(end.accepted == end.delivered + end.queued + end.rejectedTotal, "\(end) adds up at the end")
        check.expect(Set(end.rejected.keys).isSubset(of: [.shutDown]), "only the end rejects: \(end.rejected)")
        // What comes between the last request and the end is the next process's to send.
        check.expect(
            ledger == nil ? report.events.queued == 0 && end.queued == 0 : report.areEventsStored,
            "all events are sent or stored: \(report)")
        let arrived = delivered.withLock { $0 }
        check.expect(arrived.count == Self.workers, "all visitors' conversions arrive")
        for (visitor, numbers) in arrived {
            check.expect(numbers == Array(0..<Self.rounds), "the conversions of \(visitor) arrive once, in order")
        }
    }

    private var configuration: SDKConfiguration {
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.ledger = ledger
        configuration.releaseInterval = .milliseconds(2)
        // With a ledger, half of the events that there will be: the others wait in the ledger alone.
        configuration.queueCapacity = ledger == nil ? 100_000 : 4000
        configuration.refreshInterval = .milliseconds(3)
        // A request that is given up although it arrived would be sent twice.
        configuration.requestTimeout = Self.patience
        return configuration
    }

    /// Lets the tasks that `addWork` adds run while the config is refreshed and events are flushed.
    private static func amidUpkeep(of sdk: ConvertSDK, _ addWork: (inout TaskGroup<Void>) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            addWork(&group)
            group.addTask { for _ in 0..<20 { try? await sdk.refreshConfig() } }
            group.addTask { for _ in 0..<20 { await sdk.flush() } }
        }
    }

    private static func work(_ visitorID: String, _ sdk: ConvertSDK, _ shared: ConvertContext) async {
        for round in 0..<rounds {
            let context = sdk.createContext(visitorID: visitorID, attributes: ["plan": "pro"])
            context.decideAll()
            _ = context.feature("flow")
            var options = DecisionOptions()
            options.visitorProperties = ["round": .integer(round)]
            shared.decide("all", options: options)
            shared.setDefaultSegments(["country": .integer(round)])
            var conversion = ConversionOptions()
            conversion.forcesMultipleTransactions = true
            conversion.goalData = [.integer(round)]
            context.trackConversion("purchase", options: conversion)
            await Task.yield()
        }
    }
}
