/// What the mobile rules of one machine's processes showed and counted.
final class MessageHistory: @unchecked Sendable {
    // Sendable: the world has one thread, or hands a baton on.
    private var shown: Set<Int> = []
    /// Events that are in the file.
    private var stored = 0

    /// A process found `count` events in the file or waiting for it, and had counted `expected` itself.
    ///
    /// *What is counted is counted once.* Example: an event was recorded while the disk was full, and is written later;
    /// every look-up meanwhile and afterwards finds it, and finds it once. A restarted process finds all that were in
    /// the file.
    func find(_ count: Int, expected: Int?) {
        if count < stored { World.current.fail("\(count) events are counted, and \(stored) were in the file") }
        if let expected, count != expected { World.current.fail("\(count) events are counted instead of \(expected)") }
    }

    /// The file has at least `count` events.
    func store(_ count: Int) { stored = count }

    /// A message was shown.
    ///
    /// *A message that is shown once is not shown again.* Example: a message was shown and noted, and the server was
    /// killed; the next one does not show it.
    func show(_ message: Int) {
        if !shown.insert(message).inserted { World.current.fail("message \(message) is shown twice") }
    }

    /// The file may have lost some or all of what it had: its power failed, or it was damaged and begun anew.
    func forget() { (shown, stored) = ([], 0) }
}
