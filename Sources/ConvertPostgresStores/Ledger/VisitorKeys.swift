#if Postgres
import Foundation

/// Visitors' keys as the tables store them.
///
/// Keys are bytes, because PostgreSQL's text has no NUL and compares under a collation.
enum VisitorKeys {
    /// The maximum length of a key in bytes. Longer keys are hashed: an index entry cannot exceed a third of a page.
    private static let longestKey = 1000

    /// The keys as they are stored. A long key becomes the byte 255, which never occurs in UTF-8, and its SHA-256.
    ///
    /// Takes a round trip if one of the keys is long.
    static func stored(_ keys: [String], _ connection: Connection) throws(StorageError) -> [Data] {
        var keys = keys.map { Data($0.utf8) }
        let long = keys.indices.filter { keys[$0].count > longestKey }
        if long.isEmpty { return keys }
        let hashes = try connection.run(
            Command(
                """
                SELECT decode('ff', 'hex') || sha256(key)
                    FROM unnest($1) WITH ORDINALITY AS u (key, place) ORDER BY place
                """, .datas(long.map { keys[$0] })))
        for (row, index) in long.enumerated() where row < hashes.count { keys[index] = hashes.data(row, 0) }
        return keys
    }
}
#endif
