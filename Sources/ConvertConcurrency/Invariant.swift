#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// Checks of the package's own state, after a change, before a write and after a read.
///
///     Invariant.check(bytes >= 0, "the bytes in memory are not negative")
///
/// Debug builds and builds with the package trait `Simulation` contain the checks; others do not. A broken invariant is
/// reported, and the program continues. A simulation fails then; elsewhere a line is printed to standard error, once
/// per invariant.
@usableFromInline
package enum Invariant {
    #if DEBUG || Simulation
    private static let reported = Mutex<Set<String>>([])
    /// Receives each broken invariant. It is set before the first SDK is created.
    package nonisolated(unsafe) static var didBreak: @Sendable (String) -> Void = { promise in
        guard reported.withLock({ $0.insert(promise).inserted }) else { return }
        let line = "convert: a promise of the package's own code is broken: \(promise)\n"
        var text = line
        text.withUTF8 { _ = unsafe write(2, $0.baseAddress, $0.count) }
    }

    /// Reports `promise` unless `holds` is `true`.
    @usableFromInline
    package static func check(_ holds: @autoclosure () -> Bool, _ promise: StaticString) {
        if !holds() { unsafe didBreak("\(promise)") }
    }

    /// Calls `body` in builds that contain the checks.
    package static func inspect(_ body: () -> Void) { body() }
    #else
    /// Does nothing in this build.
    @inlinable
    @inline(__always)
    package static func check(_ holds: @autoclosure () -> Bool, _ promise: StaticString) {}

    /// Does nothing in this build.
    @inlinable
    @inline(__always)
    package static func inspect(_ body: () -> Void) {}
    #endif
}
