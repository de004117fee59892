import ConvertSwiftSDK

/// What the SDKs log, printed if that is asked for, with the simulated time.
struct MessageLog: ConvertLogger {
    let prints: Bool

    func log(_ level: ConvertLogLevel, _ message: String) {
        let world = World.current
        // Paths have the process's number in them.
        if message.contains("/convert-simulation-") {
            world.trace.note(message.utf8.count)
        } else {
            world.trace.note(message.utf8)
        }
        if prints { print("\(Double(world.time / 1_000_000) / 1000) s, process \(world.owner), \(level): \(message)") }
    }
}
