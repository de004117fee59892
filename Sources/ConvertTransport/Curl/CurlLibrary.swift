#if os(Linux)
import CConvertCurl
import ConvertConcurrency

/// The functions of the system's libcurl, loaded when the first transport needs them.
///
/// `Sendable` is unchecked. It is safe because the table is filled once, and libcurl's functions can be called on any
/// thread.
struct CurlLibrary: @unchecked Sendable {
    /// The library's file name. The number is the version of the binary interface that the declarations describe.
    static let systemName = "libcurl.so.4"

    private static let found = Mutex<CurlLibrary?>(nil)

    /// The system's library. The search is repeated until it succeeds, because a process may lack file descriptors at
    /// its first request.
    static func system() throws(TransportError) -> CurlLibrary {
        try found.withLock { found throws(TransportError) in
            if let found { return found }
            let library = try LibraryUse.initialize(systemName) { () throws(TransportError) in
                try CurlLibrary(systemName)
            }
            guard let library else { throw TransportError(.other) }
            found = library
            return library
        }
    }

    let functions: ConvertCurlFunctions

    /// Finds and initializes the library with that name.
    /// - Throws: `TransportError` with `libraryMissing` if there is no usable library, or with another code if it
    ///   cannot be loaded now.
    init(_ name: String) throws(TransportError) {
        var functions = ConvertCurlFunctions()
        switch unsafe convert_curl_load(name, &functions) {
        case CONVERT_CURL_LOADED: self.functions = functions
        case CONVERT_CURL_OUT_OF_RESOURCES, CONVERT_CURL_UNUSABLE: throw TransportError(.other)
        default: throw TransportError(.libraryMissing)
        }
    }

    /// The name and version of libcurl, without the libraries that it uses.
    var agent: String {
        unsafe functions.version_text().map { unsafe String(cString: $0).prefix { $0 != " " } }.map(String.init) ?? ""
    }
}
#endif
