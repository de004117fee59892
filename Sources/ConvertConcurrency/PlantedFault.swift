/// Faults that `Tests/Simulation` plants into the product, to see whether its checkers find them. It has the list of them.
///
///     if PlantedFault.isPlanted("retry-dropped") { return }
///
/// Only a build with the package trait `Simulation` can plant one. In every other build the answer is the constant `false`, and
/// the compiler removes what depends on it.
@usableFromInline
package enum PlantedFault {
    #if Simulation
    /// The one that is planted, or none. It is set once, before the first SDK is made.
    package nonisolated(unsafe) static var name = ""

    /// Whether the fault of that name is planted.
    package static func isPlanted(_ name: StaticString) -> Bool { !Self.name.isEmpty && Self.name == "\(name)" }
    #else
    /// Whether the fault of that name is planted: never.
    @inlinable
    @inline(__always)
    package static func isPlanted(_ name: StaticString) -> Bool { false }
    #endif
}
