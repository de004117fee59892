import ConvertConcurrency

/// Memory of executors that outlives a call, for as many threads as match at the same time.
///
/// A thread takes a slot by setting its flag, and owns the slot until it clears the flag. Threads never wait for each
/// other. If all slots are taken, a thread adds a slot, up to a limit; beyond the limit it uses temporary memory. An
/// account counts the memory of the slots. A slot that exceeds the account's limit drops its contents.
struct ScratchPool<Scratch: PooledMemory>: Sendable {
    private let first: ScratchSlot<Scratch>

    /// Creates a pool whose slots start as copies of `scratch`, which should be nearly empty.
    init(_ scratch: Scratch, account: CacheAccount = .shared) { first = ScratchSlot(scratch, account) }

    /// Calls `body` with memory that no other thread uses meanwhile. `spare` creates memory if all slots are taken.
    @inline(__always)
    func withScratch<Result>(or spare: () -> Scratch, _ body: (inout Scratch) -> Result) -> Result {
        guard first.take() else { return withLaterScratch(or: spare, body) }
        defer { first.release() }
        return unsafe body(&first.scratch)
    }

    @inline(never)
    private func withLaterScratch<Result>(or spare: () -> Scratch, _ body: (inout Scratch) -> Result) -> Result {
        var slot = first
        for _ in 1..<RegExpLimits.pooledCaches {
            slot = slot.next(or: spare)
            if slot.take() {
                defer { slot.release() }
                return unsafe body(&slot.scratch)
            }
        }
        var own = spare()
        return body(&own)
    }
}

/// Memory for one thread at a time.
///
/// `Sendable` is unchecked. It is safe because `scratch` is accessed only between a successful `take` and the following
/// `release`, and no other thread's `take` succeeds in between.
private final class ScratchSlot<Scratch: PooledMemory>: @unchecked Sendable {
    // Keep it unchecked: the flag already excludes overlapping accesses, and a second check takes 5 ns of a test's 60
    // ns.
    @exclusivity(unchecked) var scratch: Scratch
    private let isTaken = Atomic(false)
    private let following = AtomicLazyReference<ScratchSlot>()

    private let account: CacheAccount
    /// The slot's bytes that the account counts. Only the thread that owns the slot accesses them.
    private var counted = 0

    init(_ scratch: Scratch, _ account: CacheAccount) {
        unsafe self.scratch = scratch
        self.account = account
    }

    deinit { _ = account.add(-counted) }

    /// Takes the slot, and returns whether that succeeded. The flag is read before it is written, so that threads do
    /// not compete for a taken slot.
    @inline(__always)
    func take() -> Bool {
        !isTaken.load(ordering: .relaxed)
            && isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    @inline(__always)
    func release() {
        if unsafe scratch.heldBytes != counted { settle() }
        isTaken.store(false, ordering: .releasing)
    }

    @inline(never)
    private func settle() {
        if !count() {
            unsafe scratch.forget()
            _ = count()
        }
    }

    private func count() -> Bool {
        let change = unsafe scratch.heldBytes - counted
        counted += change
        return account.add(change)
    }

    /// The slot after this slot, which is created if necessary.
    func next(or scratch: () -> Scratch) -> ScratchSlot {
        following.load() ?? following.storeIfNil(ScratchSlot(scratch(), account))
    }
}
