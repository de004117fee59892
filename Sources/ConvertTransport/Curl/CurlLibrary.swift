#if os(Linux)
import CConvertCurl

/// The functions of the system's libcurl, found when the first transport needs them.
///
/// Sendable: the table is filled once, and libcurl's functions may be called on any thread.
struct CurlLibrary: @unchecked Sendable {
    /// The library's file name, with the number of the binary interface that the declarations are for.
    static let systemName = "libcurl.so.4"

    /// The system's. Found once: what an app installs while it runs serves its next start.
    static let system =
        TransferThread.whileTheProcessLasts { Result { () throws(TransportError) in try CurlLibrary(systemName) } }
        ?? .failure(TransportError(.other))

    let functions: ConvertCurlFunctions

    /// Finds and initializes the library of that name.
    /// - Throws: `TransportError` with `libraryMissing` if there is none that can serve.
    init(_ name: String) throws(TransportError) {
        var functions = ConvertCurlFunctions()
        guard convert_curl_load(name, &functions) == CONVERT_CURL_LOADED else {
            throw TransportError(.libraryMissing)
        }
        self.functions = functions
    }

    /// libcurl's name and version, without the libraries that it uses.
    var agent: String {
        functions.version_text().map { String(cString: $0).prefix { $0 != " " } }.map(String.init) ?? ""
    }
}
#endif
