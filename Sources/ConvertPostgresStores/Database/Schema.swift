#if Postgres
/// The database schema, as a list of migration steps.
///
/// A released step never changes; changes are appended as new steps. The table `schema_version` has the number of
/// applied steps.
struct Schema: Sendable {
    /// The name of the PostgreSQL schema that contains the tables.
    let name: String
    var steps: [String]

    /// The migration steps. Each must end within the time limit of a call. A longer one, such as an index over a large
    /// table, needs its own limit before it can be added.
    static let steps: [String] = [
        // Visitors' keys are bytes, see `VisitorKeys`. Pages keep free space (`fillfactor`), so that a growing record
        // can stay on its page and its index entry need not change. The index by day serves the deletion of old
        // records.
        //
        // An owner of events has a row with the time at which its lease ends. '-infinity' means that the owner has
        // ended for good: it was closed, or others have begun to take over its events. Such a row is deleted once it
        // has no events.
        //
        // An event's id contains the owner that tracked it; the column `owner` has the owner that delivers it.
        //
        // An occurrence that was recorded only if new has the number of the attempt that recorded it, so that
        // withdrawing the attempt can delete the occurrence.
        """
        CREATE TABLE visitors (
            key bytea PRIMARY KEY, record bytea NOT NULL, saved_on date NOT NULL DEFAULT current_date
        ) WITH (fillfactor = 85);
        CREATE INDEX visitors_by_day ON visitors (saved_on);
        CREATE SEQUENCE owner_ids MAXVALUE 2147483647;
        CREATE TABLE owners (owner bigint PRIMARY KEY, expires timestamptz NOT NULL);
        CREATE TABLE events (
            id bigint PRIMARY KEY, owner bigint NOT NULL, visitor bytea NOT NULL, record bytea NOT NULL
        );
        CREATE INDEX events_by_owner ON events (owner, id);
        CREATE INDEX events_by_visitor ON events USING hash (visitor);
        CREATE TABLE occurrences (
            fingerprint bigint NOT NULL, time bigint NOT NULL, attempt bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (fingerprint, time)
        );
        CREATE INDEX occurrences_by_time ON occurrences (time);
        """,
        // A function, because each of its statements reads after the lock is acquired; a single plain statement would
        // read before. An attempt other than 0 records only if new. Repeating the same attempt gives the same answer.
        """
        CREATE FUNCTION record_occurrence(new_fingerprint bigint, new_time bigint, new_attempt bigint) RETURNS boolean
        LANGUAGE plpgsql AS $$
        BEGIN
            IF new_attempt <> 0 THEN
                PERFORM pg_advisory_xact_lock(
                    hashtext(current_schema()), (new_fingerprint - 2147483648)::integer);
                IF EXISTS (
                    SELECT FROM occurrences
                        WHERE fingerprint = new_fingerprint AND time = new_time AND attempt = new_attempt
                ) THEN
                    RETURN true;
                END IF;
                -- The order makes it a look-up; without it, the table may be gone through up to the first one.
                IF (
                    SELECT time FROM occurrences WHERE fingerprint = new_fingerprint AND time BETWEEN 0 AND new_time
                        ORDER BY time LIMIT 1
                ) IS NOT NULL THEN
                    RETURN false;
                END IF;
            END IF;
            INSERT INTO occurrences VALUES (new_fingerprint, new_time, new_attempt)
                ON CONFLICT (fingerprint, time) DO UPDATE SET attempt = 0
                WHERE new_attempt = 0 AND occurrences.attempt <> 0;
            RETURN FOUND OR new_attempt = 0;
        END
        $$;
        """,
    ]

    /// - Throws: `StorageError` unless the name has 1 to 63 lowercase letters, digits and underscores, begins with no
    ///   digit, and does not begin with `pg_`, which PostgreSQL reserves.
    init(_ name: String, steps: [String] = Schema.steps) throws(StorageError) {
        let isName =
            name.utf8.count < 64 && name.utf8.first.map { $0 == 95 || (97...122).contains($0) } ?? false
            && name.utf8.allSatisfy { $0 == 95 || (97...122).contains($0) || (48...57).contains($0) }
            && !name.hasPrefix("pg_")
        guard isName else { throw StorageError(.cannotOpen, path: "the schema's name") }
        self.name = name
        self.steps = steps
    }

    /// Selects this schema for a new connection, and applies the missing steps.
    ///
    /// Several processes may call this at once: the first one applies the steps, the others wait for it.
    /// - Throws: `StorageError` with `newerVersion` if a later version of this package has changed the schema, with
    ///   `foreignDatabase` if other tables or functions have the names of this schema's.
    func apply(to connection: Connection, timeout: Duration) throws {
        let limit = "\(Int64(timeout / .milliseconds(1)))"
        // Prepared plans outlive the time when a table was small, so plans must use indexes whatever the table's size.
        // JIT compilation is off: PostgreSQL would enable it by estimated cost, which is high for statements without an
        // index.
        _ = try connection.run(
            Command(
                """
                SELECT set_config('search_path', $1, false), set_config('statement_timeout', $2, false),
                    set_config('idle_in_transaction_session_timeout', $2, false),
                    set_config('default_transaction_isolation', 'read committed', false),
                    set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false),
                    set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false),
                    set_config('enable_material', 'off', false), set_config('jit', 'off', false)
                """, .text("\"\(name)\""), .text(limit)))
        var isChanging = false
        do {
            if try version(connection) == steps.count { return }
            isChanging = true
            try connection.transaction { _ in
                _ = try connection.run(
                    Command("SELECT pg_advisory_xact_lock(x'43765374'::integer, hashtext($1))", .text(name)))
                let version = try version(connection)
                if version == 0 {
                    // `CREATE SCHEMA` needs a right on the database even if the schema exists, so it is skipped then.
                    let found = try connection.run(Command("SELECT FROM pg_namespace WHERE nspname = $1", .text(name)))
                    if found.count == 0 { try connection.execute("CREATE SCHEMA \"\(name)\"") }
                    try connection.execute("CREATE TABLE schema_version (version integer NOT NULL)")
                    try connection.execute("INSERT INTO schema_version VALUES (0)")
                }
                for step in steps.dropFirst(version) { try connection.execute(step) }
                return ([Command("UPDATE schema_version SET version = $1", .integer(Int64(steps.count)))], ())
            }
        } catch let error as StorageError {
            if error.isAboutAnotherSchema {
                throw StorageError(.foreignDatabase, path: error.path, sqlState: error.sqlState)
            }
            // Without the right to use a schema, PostgreSQL reports its tables as not found.
            guard error.code == .missingRight || error.isAboutTheSchema,
                let grants = try? missingGrants(connection, isChanging: isChanging)
            else { throw error }
            throw error.naming(grants)
        }
    }

    /// The number of applied steps.
    private func version(_ connection: Connection) throws -> Int {
        // `to_regclass` would miss a table that another process created while this one waited for the lock.
        let isThere = try connection.run(
            Command(
                """
                SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE nspname = $1 AND relname = 'schema_version'
                """, .text(name)))
        if isThere.count == 0 { return 0 }
        let rows = try connection.run(Command("SELECT max(version) FROM schema_version"))
        let version = rows.count == 1 ? rows.integer(0, 0) : 0
        if version > steps.count { throw StorageError(.newerVersion, path: connection.name) }
        return Int(max(0, version))
    }

    /// The statements that grant the user the missing rights; `nil` if the user has all rights.
    ///
    /// - Parameter isChanging: whether the user needs to change the schema itself, in addition to its rows.
    func missingGrants(_ connection: Connection, isChanging: Bool = false) throws -> String? {
        // Only this package's tables: the schema may also contain others.
        let rows = try connection.run(
            Command(
                """
                WITH own AS (
                    SELECT c.oid, relkind, relname, CASE
                            WHEN relkind = 'S' THEN '{USAGE}'
                            WHEN relname <> 'schema_version' THEN '{SELECT,INSERT,UPDATE,DELETE}'
                            WHEN $2 = 1 THEN '{SELECT,UPDATE}'
                            ELSE '{SELECT}' END::text[] AS rights
                        FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
                        WHERE nspname = $1 AND relkind IN ('r', 'S') AND relname IN (
                            'schema_version', 'visitors', 'owner_ids', 'owners', 'events', 'occurrences')
                )
                SELECT format('GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user)
                    WHERE NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)
                        AND NOT has_database_privilege(current_database(), 'CREATE')
                UNION ALL
                SELECT format('GRANT USAGE ON SCHEMA %I TO %I', nspname, current_user)
                    FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE')
                UNION ALL
                SELECT format('GRANT CREATE ON SCHEMA %I TO %I', nspname, current_user)
                    FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'CREATE')
                        AND ($2 = 1 OR NOT EXISTS (SELECT FROM own WHERE relname = 'schema_version'))
                UNION ALL
                SELECT format(
                        'GRANT %s ON %s %I.%I TO %I', string_agg(p, ', '),
                        CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, $1, relname, current_user)
                    FROM own, unnest(rights) AS p
                    WHERE NOT CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, p)
                            ELSE has_table_privilege(oid, p) END
                    GROUP BY relkind, relname
                UNION ALL
                SELECT format(
                        'GRANT EXECUTE ON FUNCTION %I.%I(%s) TO %I', $1, proname,
                        pg_get_function_identity_arguments(p.oid), current_user)
                    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
                    WHERE nspname = $1 AND proname = 'record_occurrence'
                        AND NOT has_function_privilege(p.oid, 'EXECUTE')
                """, .text(name), .integer(isChanging ? 1 : 0)))
        let grants = (0..<rows.count).map { rows.text($0, 0) }
        return grants.isEmpty ? nil : grants.joined(separator: "; ")
    }
}

extension StorageError {
    /// The error with the statement that grants the missing right.
    func naming(_ grant: String?) -> StorageError {
        StorageError(.missingRight, path: path, sqlState: sqlState, missingGrant: grant)
    }
}
#endif
