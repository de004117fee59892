#if os(Linux)
import CConvertCurl
import ConvertTestServer
import Foundation
import Testing

@testable import ConvertTransport

struct CurlLibraryTests {
    @Test func theSystemsLibraryIsRecentEnoughAndSaysItsVersion() throws {
        let library = try CurlLibrary.system()
        #expect(library.functions.version >= 0x07_4400)
        #expect(library.agent.hasPrefix("libcurl/") && !library.agent.contains(" "))
    }

    /// A library that is not there, and one that is something else.
    @Test(arguments: ["libconvert-no-such-library.so.4", "libm.so.6"])
    func withoutALibraryARequestFailsWithTheNameOfThePackageToInstall(name: String) async throws {
        let server = try TestServer(.status(200))
        defer { server.stop() }
        let request = HTTPRequest(url: server.url())
        let error = await #expect(throws: TransportError.self) {
            let client = CurlClient(connectionsPerHost: 1) { () throws(TransportError) in try CurlLibrary(name) }
            return try await client.exchange(request, until: .now + .seconds(10))
        }
        #expect(error?.code == .libraryMissing)
        #expect(error?.description.contains("libcurl4") == true)
        #expect(server.requests.isEmpty)
    }
}
#endif
