import ConvertTestSupport
import ConvertECMAScript
import ConvertMobileRules
import ConvertTransport
import Foundation
import Testing

/// Where a `pb` may go, and what tokens may change of it.
struct SignalAddressTests {
    private func urls(
        _ address: String, _ data: JSObject = [:], type: String = "pb",
        _ change: (inout SignalSender.Destinations) -> Void = { _ in }
    ) async throws -> [String] {
        let transport = ScriptedTransport(.status(200))
        let failures = Log<MobileRulesWarning>()
        var destinations = SignalSender.Destinations()
        change(&destinations)
        let sender = SignalSender(
            transport: transport, destinations: destinations, onFailure: { failures.append($0) })
        let detail: JSValue = ["templateurl": .string(address)]
        try engine(rule(always, consequence("p", type, detail))) { $0.handlers[type] = sender }.process(event(data))
        await sender.flush()
        #expect(failures.entries.count == (transport.requests.isEmpty ? 1 : 0))
        return transport.requests.map(\.url.absoluteString)
    }

    static let kept: [(address: String, data: JSObject, url: String)] = [
        ("https://e.com/u/{%a%}/end", ["a": "ok/?admin=1#"], "https://e.com/u/ok%2F%3Fadmin%3D1%23/end"),
        ("https://e.com/u/{%a%}/end", ["a": "a b%2f"], "https://e.com/u/a%20b%252f/end"),
        ("https://e.com/u/{%urlenc(a)%}/end", ["a": "a/b é"], "https://e.com/u/a%2Fb%20%C3%A9/end"),
        ("https://e.com/?q={%a%}&r=1", ["a": "x&admin=1#y z"], "https://e.com/?q=x%26admin%3D1%23y%20z&r=1"),
        ("https://e.com/?q={%urlenc(a)%}", ["a": "x&y"], "https://e.com/?q=x%26y"),
        ("https://e.com/?q={%urlenc(a)%}", ["a": 1.5e22], "https://e.com/?q=1.5e%2B22"),
        ("https://e.com/?{%~all_url%}", ["a": "x&y#/", "b": 2], "https://e.com/?a=x&y%23/&b=2"),
        ("https://e.com/{%~all_url%}/end", ["a": "../#"], "https://e.com/a%3D..%2F%23/end"),
        ("https://e.com/v{%a%}", ["a": 2], "https://e.com/v2"),
        ("https://e.com/u/{%a%}/end", [:], "https://e.com/u//end"),
        ("https://e.com/#{%a%}", ["a": "x#y"], "https://e.com/#x%23y"),
        ("https://e.com?q={%a%}", ["a": "/../x"], "https://e.com?q=%2F..%2Fx"),
        ("https://e.com/../literal", [:], "https://e.com/../literal"),
    ]

    @Test(arguments: kept) func aTokenStaysInItsPlace(address: String, data: JSObject, url: String) async throws {
        #expect(try await urls(address, data) == [url])
    }

    static let upwards: [(address: String, token: String)] = [
        ("https://e.com/u/{%a%}/end", ".."), ("https://e.com/u/{%a%}/end", "."),
        ("https://e.com/u/{%urlenc(a)%}", ".."), ("https://e.com/u/{%a%}/end", "../../ok/?admin=1#"),
        ("https://e.com/u/{%urlenc(a)%}", "x/../../y"), ("https://e.com/u/{%a%}", "a\\..\\b"),
        ("https://e.com/u/.{%a%}", "."), ("https://e.com/u/%2E{%a%}?x", "."), ("https://e.com/u/{%a%}.#x", "."),
        ("https://e.com/u/.{%a%}./end", ""), ("https://e.com/u/.{%absent%}.?x", "y"),
    ]

    @Test(arguments: upwards) func aTokenThatLeadsUpwardsSendsNothing(address: String, token: String) async throws {
        #expect(try await urls(address, ["a": .string(token)]).isEmpty)
    }

    static let tokensInHosts: [(address: String, token: String)] = [
        ("{%a%}", "https://evil.com"), ("https://{%a%}/p", "evil.com"), ("https://e.com{%a%}/p", ".evil.com"),
        ("https://e.com:{%a%}/p", "8443"), ("https://{%a%}@e.com/p", "user"), ("{%a%}://e.com/p", "https"),
        ("https://e.com{%a%}", ""),
    ]

    @Test(arguments: tokensInHosts) func aHostThatATokenChoosesIsNotCalled(address: String, token: String) async throws
    {
        #expect(try await urls(address, ["a": .string(token)]).isEmpty)
    }

    @Test func aHostThatTheAppListsMayBeChosen() async throws {
        let list: (inout SignalSender.Destinations) -> Void = {
            $0.hostsFromTokens = ["Hooks.example.com", "b.com:8443"]
        }
        let hooks = "https://hooks.example.com/p"
        #expect(try await urls("https://{%a%}/p", ["a": "hooks.example.com"], list) == [hooks])
        #expect(try await urls("{%a%}/p", ["a": "https://hooks.example.com"], list) == [hooks])
        #expect(
            try await urls("https://{%a%}/p", ["a": "hooks.example.com:443"], list) == [
                "https://hooks.example.com:443/p"
            ])
        #expect(try await urls("https://{%a%}/p", ["a": "b.com:8443"], list) == ["https://b.com:8443/p"])
        for other in ["hooks.example.com:8443", "b.com", "hooks.example.com.evil.com", "x@b.com:8443"] {
            #expect(try await urls("https://{%a%}/p", ["a": .string(other)], list).isEmpty, "\(other)")
        }
    }

    @Test(arguments: ["b.com/../admin", "b.com/?x", "b.com#", "b.com\\", "b.com?"])
    func aTokenThatChoosesTheHostChoosesNothingElse(token: String) async throws {
        #expect(try await urls("https://{%a%}/p", ["a": .string(token)]) { $0.hostsFromTokens = ["b.com"] }.isEmpty)
        #expect(try await urls("{%a%}", ["a": .string("https://" + token)]) { $0.hostsFromTokens = ["b.com"] }.isEmpty)
    }

    @Test(arguments: ["http://127.0.0.1/", "http://127.0.0.2:8080/", "http://localhost/", "http://[::1]/"])
    func thisMachineMayBeCalledInTheClear(address: String) async throws {
        #expect(try await urls(address) == [address])
        #expect(try await urls(address, type: "pii").isEmpty)
    }

    @Test(arguments: ["http://e.com/", "http://128.0.0.1/", "http://127.0.0.1.e.com/"])
    func otherMachinesHaveToBeAllowedPlainHTTP(address: String) async throws {
        #expect(try await urls(address).isEmpty)
        #expect(try await urls(address) { $0.allowsPlainHTTP = true } == [address])
        #expect(try await urls(address, type: "pii") { $0.allowsPlainHTTP = true }.isEmpty)
    }

    @Test func aTokenIsReadOnce() async throws {
        let transport = ScriptedTransport(.status(200))
        let sender = SignalSender(transport: transport)
        let count = Counter()
        let result = try engine(
            rule(always, consequence("p", "pb", ["templateurl": "https://e.com/{%~cachebust%}"]))
        ) {
            $0.handlers["pb"] = sender
            $0.random = { count.next() }
        }.process(event())
        await sender.flush()
        #expect(result.consequences.first?.detail["templateurl"] == "https://e.com/1")
        #expect(transport.requests.map(\.url.absoluteString) == ["https://e.com/1"])
    }
}
