/// The tables, indexes and triggers of a database, each with the statement that made it.
struct Schema: Equatable {
    /// In the order in which they were made, which is one in which they can be made again.
    private var objects: [(name: String, statement: String)] = []

    /// What `connection` has.
    init(of connection: Connection) throws(StorageError) {
        try connection.statement(
            "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        ).forEach { row in objects.append((row.text(0), row.text(1))) }
    }

    /// What a database has after the first `count` of `steps`.
    init(after count: Int, of steps: [String]) throws(StorageError) {
        let connection = try Connection(path: ":memory:", busyTimeout: 0)
        for step in steps.prefix(count) { try connection.execute(step) }
        try self.init(of: connection)
    }

    var isEmpty: Bool { objects.isEmpty }

    /// What is here and not in `other`.
    func objects(missingIn other: Schema) -> [(name: String, statement: String)] {
        objects.filter { object in !other.objects.contains { $0.name == object.name } }
    }

    /// Whether `other` has something of a name that is here, but made by another statement.
    func conflicts(with other: Schema) -> Bool {
        objects.contains { object in
            other.objects.contains { $0.name == object.name && $0.statement != object.statement }
        }
    }

    /// Whether everything that is here is in `other` too.
    func isPart(of other: Schema) -> Bool { objects(missingIn: other).isEmpty && !conflicts(with: other) }

    static func == (left: Schema, right: Schema) -> Bool { left.isPart(of: right) && right.isPart(of: left) }
}
