#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The system's time zone for this process.
enum LocalTimeZone {
    /// Reads `TZ` once, because `localtime_r` may not read it. Reading the environment for every event would race with
    /// a program that changes it.
    private static let isRead: Void = tzset()

    /// Seconds east of UTC at a time in milliseconds since 1970; 0 if the system has no calendar for that time.
    ///
    /// Calls the C library, which understands every form of `TZ`. Foundation's `TimeZone` treats some forms as UTC.
    /// Safe to call from any thread.
    static func secondsFromGMT(at milliseconds: Int64) -> Int {
        _ = isRead
        var seconds = time_t(clamping: milliseconds.flooredSeconds)
        var local = unsafe tm()
        // Safe: the call reads and writes only the local variables.
        return unsafe localtime_r(&seconds, &local) == nil ? 0 : Int(local.tm_gmtoff)
    }
}

extension Int64 {
    /// The whole seconds of a time in milliseconds, rounded down, also before 1970.
    fileprivate var flooredSeconds: Int64 { self / 1000 - (self % 1000 < 0 ? 1 : 0) }
}
