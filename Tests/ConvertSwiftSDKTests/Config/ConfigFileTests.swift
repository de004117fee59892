import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertSwiftSDK

@Suite(.timeLimit(.minutes(10)))
struct ConfigFileTests {
    private static func error(_ url: URL, limit: Int = 64 << 20) async throws -> ConvertError? {
        let sdk = try Fixture.sdk(source: .file(url)) { $0.maximumConfigLength = limit }
        return await #expect(throws: ConvertError.self) { try await sdk.ready() }
    }

    private static func withFile<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let url = URL(fileURLWithPath: Fixture.temporaryFile())
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url)
    }

    @Test func aURLThatIsNoFileIsNotOpened() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/config.json"))
        #expect(try await Self.error(url)?.code == .invalidConfiguration)
    }

    @Test func aPipeADeviceOrAFolderIsNotWaitedFor() async throws {
        try await Self.withFile { url in
            #expect(mkfifo(url.path, 0o600) == 0)
            let error = try await Self.error(url)
            #expect(error?.code == .configUnavailable)
        }
        for path in ["/dev/zero", "/tmp"] {
            #expect(try await Self.error(URL(fileURLWithPath: path))?.code == .configUnavailable, "\(path)")
        }
    }

    @Test func aFileMayBeAsLongAsTheLimitAndNoLonger() async throws {
        try await Self.withFile { url in
            try Fixture.data.write(to: url)
            let error = try await Self.error(url, limit: Fixture.data.count - 1)
            #expect(error?.code == .configUnavailable && error?.message.contains("maximumConfigLength") == true)
            for limit in [Fixture.data.count, .max] {
                try await Fixture.sdk(source: .file(url)) { $0.maximumConfigLength = limit }.ready()
            }
        }
    }

    @Test func aLinkToAFileIsFollowed() async throws {
        try await Self.withFile { url in
            try await Self.withFile { link in
                try Fixture.data.write(to: url)
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
                try await Fixture.sdk(source: .file(link)).ready()
            }
        }
    }

    @Test func aPipeInTheCopysPlaceIsNotWaitedFor() async throws {
        try await Self.withFile { url in
            #expect(mkfifo(url.path, 0o600) == 0)
            let sdk = Fixture.fetchingSDK(transport: ScriptedTransport(status: 500)) { $0.configCopyFile = url }
            await #expect(throws: ConvertError.self) { try await sdk.ready() }
        }
    }
}
