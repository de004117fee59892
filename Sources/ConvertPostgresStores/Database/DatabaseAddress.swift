#if Postgres
import CConvertPostgres
import Foundation

/// A database's address and credentials, as libpq reads them from a connection string.
///
/// The string may contain a password, so only libpq receives it. Errors and diagnostics show ``name``.
struct DatabaseAddress: Sendable {
    /// The connection string.
    fileprivate let text: String

    /// Host, port and database, for messages.
    let name: String

    /// The values of `host`, `hostaddr` and `port` in the string, by keyword: a value per host.
    private let hosts: [String: [String]]

    /// - Throws: `StorageError` if libpq cannot read the string.
    init(_ text: String) throws(StorageError) {
        // libpq would end the string at a NUL, and might connect to another database.
        guard !text.utf8.contains(0), let options = unsafe PQconninfoParse(text, nil) else {
            throw StorageError(.cannotOpen, path: "the connection string")
        }
        // Safe: the last option has no keyword, and the texts are copied before the options are freed.
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
        // A password in a URL that is not percent-encoded ends at its first `@`, so part of it could become the host.
        let isPlain =
            port.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ",") }
            && !(host + database).contains { "@=?#".contains($0) || $0.isWhitespace } && !database.contains("://")
        return isPlain
            ? "\(host):\(port)/\(database)" : "an address that is not shown; write @ and / in a password as %40 and %2F"
    }

    /// Begins to connect.
    ///
    /// - Parameter turn: the index of the host to try first, if the address has several.
    func beginConnecting(_ turn: Int = 0) -> OpaquePointer? {
        // Keywords in the string come after this name, and override it.
        var parameters = [("fallback_application_name", "ConvertPostgresStores"), ("dbname", text)]
        for (keyword, values) in hosts where values.count > 1 {
            let first = turn % values.count
            parameters.append((keyword, (values[first...] + values[..<first]).joined(separator: ",")))
        }
        // libpq copies the strings during the call. They are freed after it.
        let keywords = unsafe parameters.map { unsafe strdup($0.0) } + [nil]
        let values = unsafe parameters.map { unsafe strdup($0.1) } + [nil]
        defer { unsafe (keywords + values).forEach { unsafe free($0) } }
        return unsafe PQconnectStartParams(
            keywords.map { unsafe UnsafePointer($0) }, values.map { unsafe UnsafePointer($0) }, 1)
    }
}
#endif
