import ConvertTestSupport
import ConvertTestServer
import ConvertTransport
import Foundation
import ConvertConcurrency
import Testing

@testable import ConvertSwiftSDK

/// Everything at once, on the real clock; meant for `swift test --sanitize=thread` as well.
struct StressTests {
    @Test(.timeLimit(.minutes(20)), arguments: [false, true])
    func decidingRefreshingTrackingAndShuttingDownAtOnce(hasLedger: Bool) async throws {
        let flip = Atomic<Int>(0)
        let delivered = Mutex<[String: [Int]]>([:])
        let transport = ScriptedTransport { request, index in
            guard request.method == "POST" else {
                let turn = flip.add(1, ordering: .relaxed).newValue
                return switch turn % 5 {
                case 1, 2: HTTPResponse(status: 200, body: Fixture.data)
                case 3: HTTPResponse(status: 500)
                default: HTTPResponse(status: 200, body: Data("{".utf8))
                }
            }
            if index % 7 == 0 { throw Failure() }
            delivered.withLock { delivered in
                for (visitor, number) in NumberedConversion.all(in: request.body) {
                    delivered[visitor, default: []].append(number)
                }
            }
            return HTTPResponse(status: 200)
        }
        var configuration = SDKConfiguration()
        configuration.logLevel = .silent
        configuration.ledger = hasLedger ? ScriptedLedger() : nil
        configuration.releaseInterval = .milliseconds(2)
        // More events than half of it, which are in memory, and fewer than all.
        configuration.queueCapacity = hasLedger ? 4000 : 100_000
        configuration.refreshInterval = .milliseconds(3)
        // A request that is given up although it arrived would be sent twice.
        configuration.requestTimeout = EndpointFault.patience
        let sdk = ConvertSDK(sdkKey: "10/20", configuration: configuration, transport: transport)
        try await sdk.ready(timeout: EndpointFault.patience)
        let listener = Task { for await _ in sdk.events(bufferingNewest: 10) {} }
        let shared = sdk.createContext(visitorID: "shared", attributes: ["plan": "pro"])
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { await StressTests.work(worker, sdk, shared) }
            }
            group.addTask { for _ in 0..<20 { try? await sdk.refreshConfig() } }
            group.addTask { for _ in 0..<20 { await sdk.flush() } }
        }
        let counts = sdk.deliveryCounts
        #expect(counts.accepted == counts.delivered + counts.queued + counts.rejectedTotal)
        // All goes on while the SDK ends.
        let late = Task.detached {
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for index in 0..<200 {
                            sdk.createContext(visitorID: "late\(worker).\(index)").decideAll()
                            await Task.yield()
                        }
                    }
                }
                group.addTask { for _ in 0..<20 { try? await sdk.refreshConfig() } }
                group.addTask { for _ in 0..<20 { await sdk.flush() } }
            }
        }
        let report = await sdk.shutdown(deadline: EndpointFault.patience)
        await late.value
        await listener.value
        let end = sdk.deliveryCounts
        #expect(end.accepted == end.delivered + end.queued + end.rejectedTotal)
        #expect(Set(end.rejected.keys).isSubset(of: [.shutDown]))
        // What comes between the last request and the end is the next process' to send.
        #expect(hasLedger ? report.areEventsStored : report.events.queued == 0 && end.queued == 0)
        let visitors = delivered.withLock { $0 }
        #expect(visitors.count == 8)
        for (visitor, numbers) in visitors { #expect(numbers == Array(0..<60), "\(visitor)") }
    }

    private static func work(_ worker: Int, _ sdk: ConvertSDK, _ shared: ConvertContext) async {
        for round in 0..<60 {
            let context = sdk.createContext(visitorID: "w\(worker)", attributes: ["plan": "pro"])
            context.decideAll()
            _ = context.feature("flow")
            shared.decide("all", options: .with { $0.visitorProperties = ["n": .integer(round)] })
            shared.setDefaultSegments(["country": .integer(round)])
            context.trackConversion("purchase", options: NumberedConversion.options(round))
            await Task.yield()
        }
    }
}
