import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

struct SignalSenderTests {
    private func send(
        _ consequence: JSValue, _ transport: ScriptedTransport, failures: Log<MobileRulesWarning> = Log(),
        pauses: Log<Duration> = Log(), isOptedOut: Bool = false
    ) async throws {
        let sender = SignalSender(
            transport: transport, isOptedOut: { isOptedOut }, sleep: { pauses.append($0) },
            onFailure: { failures.append($0) })
        try engine(rule(always, consequence)) { $0.handlers = ["pb": sender, "pii": sender] }.process(
            event(["a": "x y"]))
        await sender.flush()
    }

    @Test func aPostbackWithoutBodyIsAGET() async throws {
        let transport = ScriptedTransport(.status(200))
        try await send(consequence("p", "pb", ["templateurl": "https://e.com/?q={%urlenc(a)%}"]), transport)
        let request = try #require(transport.requests.first)
        #expect(request.method == "GET")
        #expect(request.url.absoluteString == "https://e.com/?q=x%20y")
        #expect(request.timeout == 2)
        #expect(request.body == nil)
    }

    @Test func aPostbackWithABodyIsAPOST() async throws {
        let transport = ScriptedTransport(.status(204))
        try await send(
            consequence(
                "p", "pb", ["templateurl": "https://e.com/", "templatebody": "q={%a%}", "timeout": 5]), transport)
        let request = try #require(transport.requests.first)
        #expect(request.method == "POST")
        #expect(request.body == Data("q=x y".utf8))
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request.timeout == 5)
    }

    static let refused: [(type: String, detail: JSValue)] = [
        ("pii", ["templateurl": "http://e.com/"]), ("pii", [:]), ("pb", ["templateurl": 5]),
        ("pb", ["templateurl": ""]),
        ("pb", ["templateurl": "ftp://e.com/"]), ("pb", ["templateurl": "/path"]),
        ("pii", ["templateurl": "httpsx://e.com"]),
    ]

    @Test(arguments: refused) func aSignalWithoutAUsableEndpointIsNotSent(type: String, detail: JSValue) async throws {
        let transport = ScriptedTransport(.status(200))
        let failures = Log<MobileRulesWarning>()
        try await send(consequence("p", type, detail), transport, failures: failures)
        #expect(transport.requests.isEmpty)
        #expect(failures.entries.count == 1)
    }

    static let finalErrors: [(error: TransportError, failures: Int)] = [
        (TransportError(.responseTooLong, status: 200), 0), (TransportError(.timedOut, status: 204), 0),
        (TransportError(.interrupted, status: 500), 1), (TransportError(.invalidRequest), 1),
        (TransportError(.libraryMissing), 1),
    ]

    /// The status tells how the endpoint answered, whatever became of the body, and some requests nothing can heal.
    @Test(arguments: finalErrors) func aDecidedSignalIsSentOnce(error: TransportError, failureCount: Int) async throws {
        let transport = ScriptedTransport { _, _ in throw error }
        let (failures, pauses) = (Log<MobileRulesWarning>(), Log<Duration>())
        try await send(
            consequence("p", "pb", ["templateurl": "https://e.com/"]), transport, failures: failures, pauses: pauses)
        #expect(transport.requests.count == 1 && pauses.entries.isEmpty)
        #expect(failures.entries.count == failureCount)
    }

    @Test func aBusyEndpointIsTriedAgainAfterAPause() async throws {
        let transport = ScriptedTransport(.status(503), .unreachable, .status(408), .status(200))
        let pauses = Log<Duration>()
        try await send(consequence("p", "pii", ["templateurl": "https://e.com"]), transport, pauses: pauses)
        #expect(transport.requests.count == 4)
        #expect(pauses.entries == Array(repeating: .seconds(30), count: 3))
    }

    @Test func attemptsEnd() async throws {
        let transport = ScriptedTransport(.unreachable)
        let failures = Log<MobileRulesWarning>()
        try await send(consequence("p", "pb", ["templateurl": "https://e.com"]), transport, failures: failures)
        #expect(transport.requests.count == SignalSender.Limits().attempts)
        #expect(failures.entries.count == 1)
    }

    @Test func aRefusalIsFinal() async throws {
        let transport = ScriptedTransport(.status(404))
        try await send(consequence("p", "pb", ["templateurl": "https://e.com"]), transport)
        #expect(transport.requests.count == 1)
    }

    @Test func nothingIsSentForSomebodyWhoOptedOut() async throws {
        let transport = ScriptedTransport(.status(200))
        try await send(consequence("p", "pb", ["templateurl": "https://e.com"]), transport, isOptedOut: true)
        #expect(transport.requests.isEmpty)
    }

    @Test func nothingIsSentAgainForSomebodyWhoOptedOutDuringThePause() async throws {
        let transport = ScriptedTransport(.status(503), .status(200))
        let pauses = Log<Duration>()
        let sender = SignalSender(
            transport: transport, isOptedOut: { !pauses.entries.isEmpty }, sleep: { pauses.append($0) })
        try engine(rule(always, consequence("p", "pii", ["templateurl": "https://e.com"]))) {
            $0.handlers["pii"] = sender
        }.process(event())
        await sender.flush()
        #expect(pauses.entries.count == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func aLineBreakInAContentTypeSendsNothing() async throws {
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let failures = Log<MobileRulesWarning>()
        var limits = SignalSender.Limits()
        limits.attempts = 1
        let sender = SignalSender(
            transport: SystemTransport(), limits: limits, onFailure: { failures.append($0) })
        let detail: JSValue = [
            "templateurl": .string(server.url("/").absoluteString), "templatebody": "b", "contenttype": "a\r\nX: {%a%}",
        ]
        try engine(rule(always, consequence("p", "pb", detail))) { $0.handlers["pb"] = sender }.process(
            event(["a": "evil"]))
        await sender.flush()
        #expect(server.requests.isEmpty)
        #expect(failures.entries.count == 1)
    }

    @Test func waitingSignalsAreBoundedAndCanBeCancelled() async throws {
        let transport = ScriptedTransport(.status(503))
        let failures = Log<MobileRulesWarning>()
        var limits = SignalSender.Limits()
        limits.waiting = 2
        let sender = SignalSender(
            transport: transport, limits: limits, sleep: { _ in try await Task.sleep(for: .seconds(3600)) },
            onFailure: { failures.append($0) })
        let engine = try engine(rule(always, consequence("p", "pb", ["templateurl": "https://e.com/{%n%}"]))) {
            $0.handlers["pb"] = sender
        }
        for number in 0..<6 { engine.process(event(["n": .integer(number)])) }
        // At most one is being sent and two wait.
        #expect((3...4).contains(failures.entries.count))
        sender.cancel()
        await sender.flush()
        #expect(transport.requests.count <= 1)
    }
}
