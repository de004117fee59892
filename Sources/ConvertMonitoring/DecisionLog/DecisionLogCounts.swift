/// Where the lines of a ``DecisionLog`` are.
public struct DecisionLogCounts: Sendable, Hashable {
    /// Number of lines that the sink took.
    public package(set) var written = 0
    /// Number of lines that wait.
    public package(set) var waiting = 0
    /// Number of lines that were given up, because too many waited or the sink did not take them.
    public package(set) var lost = 0

    package init(written: Int = 0, waiting: Int = 0, lost: Int = 0) {
        self.written = written
        self.waiting = waiting
        self.lost = lost
    }
}
