import ConvertMonitoring
import ConvertSQLiteStores
import ConvertSwiftSDK
import ConvertTestServer
import ConvertTransport
import Foundation
import Synchronization
import Testing

/// The snippets of the articles Going to production, Semantics, ConvertMonitoring, ConvertSQLiteStores and
/// ConvertTransport.
struct ProductionTests {
    @Test func theConfigurationForProductionKeepsItsFilesWhereItSays() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "production-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        // Refused before anything is sent.
        let sdkKey = "../.."
        var configuration = SDKConfiguration()
        configuration.configCopyFile = folder.appending(path: "config.json")
        configuration.ledger = try SQLiteLedger(file: folder.appending(path: "convert.sqlite"))
        let convert = ConvertSDK(sdkKey: sdkKey, environment: "production", configuration: configuration)

        let (visitorID, plan) = ("visitor-1", String?.none)
        let visitor = await convert.loadContext(visitorID: visitorID, attributes: ["plan": plan])
        #expect(visitor.decide("checkout").reason == .sdkNotReady)
        let outcome = try await visitor.trackConversion("order-placed", persistedWithin: .seconds(5))
        #expect(outcome == .sdkNotReady && convert.ledgerStatus?.isAvailable == true)

        if let outage = convert.deliveryOutage, outage.cause != .unavailable {
            print("tracking events wait: \(outage)")  // "credentials (status 401) since …, next attempt …"
        }

        let report = await convert.shutdown(deadline: .seconds(5))
        if !report.isComplete { print("shut down: \(report)") }
        #expect(report.isComplete && report.areEventsStored)
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: "convert.sqlite").path))
    }

    @Test func aHealthCheckTellsALongOutageFromAShortOne() async throws {
        let config = try Data(contentsOf: URL(fileURLWithPath: "TestVectors/configs/demo-shop.json"))
        let given = try ConvertSDK(configData: config, mode: .offline)
        #expect(configProblem(given.configStatus, now: Date()) == nil)
        let refused = ConvertSDK(sdkKey: "../..")
        await #expect(throws: ConvertError.self) { try await refused.ready() }
        #expect(configProblem(refused.configStatus, now: Date()) == "no config yet")
        let problem = try #require(configProblem(refused.configStatus, now: Date(timeIntervalSinceNow: 4000)))
        #expect(problem.hasPrefix("no new config since "))
    }

    @Test func aHookCountsReasons() throws {
        let counter = ReasonCounter()
        var configuration = SDKConfiguration()
        configuration.semantics = .javaScript
        configuration.evaluationHook = counter
        let config = try Data(contentsOf: URL(fileURLWithPath: "TestVectors/configs/demo-shop.json"))
        let sdk = try ConvertSDK(configData: config, mode: .offline, configuration: configuration)
        sdk.createContext(visitorID: "visitor-4", locationProperties: ["path": "/"]).decide("new-navigation")
        #expect(counter.counts.withLock { $0 } == ["new-navigation: bucketed": 1])
    }

    @Test func aDecisionLogGoesToTheFileThatIsNamed() {
        var configuration = SDKConfiguration()
        configuration.decisionLog = DecisionLog(file: URL(fileURLWithPath: "/var/log/shop/decisions.jsonl"))
        #expect(configuration.decisionLog?.sink is DecisionLogFile)
    }

    @Test func aTransportOfTheAppsOwnIsAsked() async throws {
        let server = try TestServer(.status(204))
        defer { server.stop() }
        let transport = CountingTransport()
        #expect(try await transport.send(HTTPRequest(url: server.url())).status == 204)
        #expect(transport.count.withLock { $0 } == 1)
    }
}

func configProblem(_ status: ConfigStatus, now: Date) -> String? {
    if let start = status.failingSince, now.timeIntervalSince(start) > 3600 {
        return "no new config since \(start): \(status.lastError?.message ?? "")"
    }
    return status.revision == nil && status.age == nil ? "no config yet" : nil
}

final class CountingTransport: HTTPTransport {
    private let base = SystemTransport()
    let count = Mutex(0)

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        count.withLock { $0 += 1 }
        return try await base.send(request)
    }
}
