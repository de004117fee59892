import ConvertSwiftSDK

/// What the SDKs log, printed if that is asked for, with the simulated time.
struct MessageLog: ConvertLogger {
    let prints: Bool

    func log(_ level: LogLevel, _ message: String) {
        let world = World.current
        world.trace.note(message.utf8)
        if prints { print("\(Double(world.time / 1_000_000) / 1000) s, process \(world.owner), \(level): \(message)") }
    }
}
