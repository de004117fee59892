#if Postgres
extension Schema {
    /// The steps to the tables of ``PostgresLedger``.
    static let ledgerSteps: [String] = [
        // Keys of visitors are bytes, see `VisitorKeys`. Each page keeps room, so that a record that grows can stay on it and
        // its index need not change. The day has an index for the deletion of old records.
        //
        // An owner of events has a row, whose time is the end of its lease. '-infinity' means that the owner has ended for
        // good: it was closed, or others have begun to take over its events. Without events such a row goes.
        //
        // An event's id says which owner tracked it, the column `owner` which one delivers it.
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
        """
    ]
}
#endif
