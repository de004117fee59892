#if Postgres
extension Duration {
    /// The duration, limited to 0 up to 34 years. That fits into an `Int64` of nanoseconds and into the server's
    /// timestamps.
    var bounded: Duration { min(max(self, .zero), .seconds(1 << 30)) }
}
#endif
