#if Postgres
extension Duration {
    /// The duration within nothing and 34 years, which fits into a number of nanoseconds and into a time of the
    /// server's.
    var bounded: Duration { min(max(self, .zero), .seconds(1 << 30)) }
}
#endif
