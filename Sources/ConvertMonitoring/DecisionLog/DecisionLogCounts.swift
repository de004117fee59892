/// The number of lines of a ``DecisionLog``, by state. Lines of forgotten visitors count in no state.
public struct DecisionLogCounts: Sendable, Hashable {
    /// The number of lines that the sink accepted.
    public package(set) var written = 0
    /// The number of lines that wait.
    public package(set) var waiting = 0
    /// The number of lines that were dropped, because too many waited, the SDK was shut down, or the sink failed.
    public package(set) var lost = 0

    package init(written: Int = 0, waiting: Int = 0, lost: Int = 0) {
        self.written = written
        self.waiting = waiting
        self.lost = lost
    }
}
