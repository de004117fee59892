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

    /// - Throws: `StorageError` if libpq cannot read the string.
    init(_ text: String) throws(StorageError) {
        // A C string would end at the first NUL, and another database might be meant.
        guard !text.utf8.contains(0), let options = PQconninfoParse(text, nil) else {
            throw StorageError(.cannotOpen, path: "the connection string")
        }
        defer { PQconninfoFree(options) }
        var parts: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { parts[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.text = text
        let host = parts["host"] ?? parts["hostaddr"] ?? parts["service"] ?? "localhost"
        name = "\(host):\(parts["port"] ?? "5432")/\(parts["dbname"] ?? parts["user"] ?? "")"
    }

    /// Begins to connect.
    func beginConnecting() -> OpaquePointer? {
        // What the string says comes last, and counts.
        let keywords = ["fallback_application_name", "dbname"]
        let values = ["ConvertPostgresStores", text]
        return withCStrings(keywords) { keywords in
            withCStrings(values) { values in PQconnectStartParams(keywords, values, 1) }
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
            return (pointers + [nil]).withUnsafeBufferPointer { $0.baseAddress.flatMap(body) }
        }
        return first.withUnsafeBufferPointer { lend(rest.dropFirst(), pointers + [$0.baseAddress]) }
    }
    return lend(bytes[...], [])
}
#endif
