#if Postgres
import CConvertPostgres
import ConvertStoreSupport

/// Where a database is and how to get in, as libpq reads it from a connection string.
///
/// The string may hold a password, so it goes to libpq and nowhere else: errors and diagnostics have ``name``.
struct DatabaseAddress: Sendable {
    /// The connection string.
    fileprivate let text: String

    /// Host, port and database, for people.
    let name: String

    /// By keyword, what the string says of each of its hosts.
    private let hosts: [String: [String]]

    /// - Throws: `StorageError` if libpq cannot read the string.
    init(_ text: String) throws(StorageError) {
        // A C string would end at the first NUL, and another database might be meant.
        guard !text.utf8.contains(0), let options = unsafe PQconninfoParse(text, nil) else {
            throw StorageError(.cannotOpen, path: "the connection string")
        }
        defer { unsafe PQconninfoFree(options) }
        var parts: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe parts[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        self.text = text
        name = Self.name(parts)
        hosts = parts.filter { ["host", "hostaddr", "port"].contains($0.key) }.mapValues { list in
            list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static func name(_ parts: [String: String]) -> String {
        let host = parts["host"] ?? parts["hostaddr"] ?? parts["service"] ?? "localhost"
        let port = parts["port"] ?? "5432"
        let database = parts["dbname"] ?? parts["user"] ?? ""
        // A password in a URL that is not encoded ends at its first `@`, or makes what is before it the host.
        let isPlain =
            port.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ",") }
            && !(host + database).contains { "@=?#".contains($0) || $0.isWhitespace } && !database.contains("://")
        return isPlain
            ? "\(host):\(port)/\(database)" : "an address that is not shown; write @ and / in a password as %40 and %2F"
    }

    /// Begins to connect.
    ///
    /// - Parameter turn: how many hosts to begin behind, of several.
    func beginConnecting(_ turn: Int = 0) -> OpaquePointer? {
        // What the string says comes after the name, and counts.
        var parameters = [("fallback_application_name", "ConvertPostgresStores"), ("dbname", text)]
        for (keyword, values) in hosts where values.count > 1 {
            let first = turn % values.count
            parameters.append((keyword, (values[first...] + values[..<first]).joined(separator: ",")))
        }
        return unsafe withCStrings(parameters.map(\.0)) { keywords in
            unsafe withCStrings(parameters.map(\.1)) { values in unsafe PQconnectStartParams(keywords, values, 1) }
        }
    }
}

/// Lends `texts` as an array of C strings with a null pointer at its end.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result?
) -> Result? {
    let bytes = texts.map { Array($0.utf8CString) }
    func lend(_ rest: ArraySlice<[CChar]>, _ pointers: [UnsafePointer<CChar>?]) -> Result? {
        guard let first = rest.first else {
            return unsafe (pointers + [nil]).withUnsafeBufferPointer { unsafe $0.baseAddress.flatMap(body) }
        }
        return unsafe first.withUnsafeBufferPointer { unsafe lend(rest.dropFirst(), pointers + [$0.baseAddress]) }
    }
    return unsafe lend(bytes[...], [])
}
#endif
