import ConvertTestServer
import ConvertTransport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func aGETFollowsWithinLoopback(status: Int) async throws {
        let transport = SystemTransport()
        let other = try TestServer(.status(200, body: "there"))
        defer { other.stop() }
        let server = try TestServer(.redirect(status, to: other.url("/b?c=d").absoluteString))
        defer { server.stop() }
        let response = try await transport.send(
            HTTPRequest(
                url: server.url(), headers: ["Authorization": "Bearer secret", "Cookie": "a=b", "X-A": "1"],
                timeout: patience))
        #expect(response.body == Data("there".utf8))
        let request = try #require(other.requests.first)
        #expect(request.target == "/b?c=d" && request.headers["x-a"] == "1")
        #expect(request.headers["authorization"] == nil, "another port is another origin")
        #expect(request.headers["cookie"] == nil)
    }

    @Test func aRelativeRedirectKeepsTheOriginsHeaders() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.redirect(to: "../c"), .status(200))
        defer { server.stop() }
        _ = try await transport.send(
            HTTPRequest(url: server.url("/a/b"), headers: ["Authorization": "Bearer secret"], timeout: patience))
        #expect(server.requests.map(\.target) == ["/a/b", "/c"])
        #expect(server.requests.last?.headers["authorization"] == "Bearer secret")
    }

    @Test(arguments: [307, 308])
    func aPOSTFollowsWithItsBody(status: Int) async throws {
        let transport = SystemTransport()
        let server = try TestServer(.redirect(status, to: "/b"), .status(200))
        defer { server.stop() }
        _ = try await transport.send(
            HTTPRequest(method: "POST", url: server.url(), body: Data("event".utf8), timeout: patience))
        #expect(server.requests.map(\.text) == ["event", "event"])
        #expect(server.requests.map(\.method) == ["POST", "POST"])
    }

    @Test(arguments: [301, 302, 303])
    func aPOSTIsNeverTurnedIntoAGET(status: Int) async throws {
        let transport = SystemTransport()
        let server = try TestServer(.redirect(status, to: "/b"), .status(200))
        defer { server.stop() }
        let response = try await transport.send(
            HTTPRequest(method: "POST", url: server.url(), body: Data("event".utf8), timeout: patience))
        #expect(response.status == status && server.requests.count == 1)
    }

    @Test(
        arguments: [
            "http://192.0.2.1/", "http://example.invalid/", "http://127.0.0.1.example.invalid/", "http://127.1/",
            "file:///etc/hostname", "ftp://127.0.0.1/", "data:,x", "http://[::bad/", "//192.0.2.1/x", "http:",
            "https://",
            "",
        ])
    func anyOtherRedirectIsReturned(location: String) async throws {
        let transport = SystemTransport()
        let server = try TestServer(.redirect(to: location), .status(200))
        defer { server.stop() }
        let response = try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        #expect(response.status == 302)
        #expect(server.requests.count == 1)
    }

    @Test func aRedirectWithoutLocationIsReturned() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.status(302, body: "nowhere"))
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).status == 302)
    }

    @Test func aRedirectToHTTPSIsFollowed() async throws {
        let transport = SystemTransport()
        let port = try RefusingPort()
        let target = "https://127.0.0.1:\(port.url.port ?? 0)/"
        let server = try TestServer(.redirect(to: target))
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: server.url(), timeout: patience))
        }
        #expect(error?.code == .cannotConnect && error?.host == "127.0.0.1:\(port.url.port ?? 0)")
    }

    @Test func aLoopEndsWithTheLastRedirect() async throws {
        let transport = SystemTransport()
        let server = try TestServer(.redirect(to: "/again"))
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).status == 302)
        #expect(server.requests.count == 6)
    }

    @Test func redirectsAfterATimeoutHarmNothing() async throws {
        let server = try TestServer(.redirect(to: "/again"))
        defer { server.stop() }
        do {
            let transport = SystemTransport()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<2000 {
                    group.addTask {
                        let timeout = 0.01 + Double(number % 100) * 0.002
                        _ = try? await transport.send(HTTPRequest(url: server.url(), timeout: timeout))
                    }
                }
            }
            #expect(try await transport.send(HTTPRequest(url: server.url(), timeout: patience)).status == 302)
        }
        #expect(await server.waitUntilAlone(), "no connection is left")
    }
}
