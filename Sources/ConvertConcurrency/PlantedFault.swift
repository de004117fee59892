/// Faults that `Tests/Simulation` plants in the product to test its checkers. The list is in those tests.
///
///     if PlantedFault.isPlanted("retry-dropped") { return }
///
/// Only a build with the package trait `Simulation` can plant a fault. In every other build the answer is the constant
/// `false`, so the check costs nothing.
@usableFromInline
package enum PlantedFault {
    #if Simulation
    /// The name of the planted fault; empty if no fault is planted. It is set once, before the first SDK is created.
    package nonisolated(unsafe) static var name = ""

    /// Whether the fault with that name is planted.
    package static func isPlanted(_ name: StaticString) -> Bool { unsafe !Self.name.isEmpty && Self.name == "\(name)" }
    #else
    /// Always `false` in this build.
    @inlinable
    @inline(__always)
    package static func isPlanted(_ name: StaticString) -> Bool { false }
    #endif
}
