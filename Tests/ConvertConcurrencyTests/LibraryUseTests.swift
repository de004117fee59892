import ConvertConcurrency
import Testing

/// What happens at the end of the process is in `ProcessEndTests`.
struct LibraryUseTests {
    /// A library without OpenSSL, a missing one, and the libraries that the executable is linked with.
    @Test(arguments: ["libm.so.6", "libconvert-no-such-library.so.4", nil])
    func aLibraryWithoutOpenSSLIsInitialized(name: String?) {
        #expect(LibraryUse.initialize(name) { "initialized" } == "initialized")
    }

    @Test func aUseBeginsWhileTheProcessLasts() throws {
        #expect(LibraryUse.whileTheProcessLasts { "used" } == "used")
        #expect(!LibraryUse.isEnding)
    }
}
