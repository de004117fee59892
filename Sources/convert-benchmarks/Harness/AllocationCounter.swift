import Foundation
import Synchronization

/// Counts the objects that the Swift runtime allocates, through the hook that it has for instruments.
enum AllocationCounter {
    private typealias Allocate = @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

    private static let counted = Atomic<Int>(0)

    /// The runtime's own allocator; set before the hook is.
    nonisolated(unsafe) private static var original: Allocate?

    /// How many objects `body` allocates. Other threads must be idle.
    static func count(_ body: () -> Void) throws -> Int {
        guard let hookSymbol = dlsym(nil, "_swift_allocObject"),
            let switchSymbol = dlsym(
                nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctionPointers_forInstrumentsOnly")
        else { throw BenchmarkFailure(description: "this runtime has no hook to count allocations by") }
        let hook = hookSymbol.assumingMemoryBound(to: Optional<Allocate>.self)
        let isEnabled = switchSymbol.assumingMemoryBound(to: Bool.self)
        original = hook.pointee
        hook.pointee = { metadata, size, alignment in
            AllocationCounter.counted.add(1, ordering: .relaxed)
            return AllocationCounter.original?(metadata, size, alignment)
        }
        isEnabled.pointee = true
        defer {
            isEnabled.pointee = false
            hook.pointee = original
        }
        let before = counted.load(ordering: .relaxed)
        body()
        return counted.load(ordering: .relaxed) - before
    }
}
