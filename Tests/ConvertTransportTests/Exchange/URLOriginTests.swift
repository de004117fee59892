import ConvertTransport
import Foundation
import Testing

struct URLOriginTests {
    @Test(arguments: [
        ("http://127.0.0.1/", true), ("http://127.255.3.4:80/", true), ("http://LOCALHOST/", true),
        ("http://[::1]:8/", true),
        ("http://127.0.0.1.example/", false), ("http://127.+1.0.1/", false), ("http://127.1/", false),
        ("http://127.0.0.256/", false), ("http://127.0..1/", false), ("http://128.0.0.1/", false), ("mailto:x", false),
    ])
    func thisMachineIsKnownByItsNamesInFullNotation(text: String, isLoopback: Bool) throws {
        // A text that is no URL reaches no host.
        guard let url = URL(string: text) else { return #expect(!isLoopback) }
        #expect(url.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("https://user:secret@host:8/path?secret=1#secret", "https://host:8/path"),
        ("https:/user:secret@host/p", "https:…"), ("https:user:secret@host/p", "https:…"),
        ("mailto:secret@host", "mailto:…"), ("https://host", "https://host"),
    ])
    func whatMayBeSecretStandsInNoMessage(text: String, shown: String) throws {
        let url = try #require(URL(string: text))
        #expect(url.withoutSecrets == shown && url.place == shown)
    }

    @Test func aFileIsNamedByItsPath() {
        #expect(URL(fileURLWithPath: "/a b/c").place == "/a b/c")
    }
}
