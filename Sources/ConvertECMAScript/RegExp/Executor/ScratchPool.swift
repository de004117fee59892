import ConvertConcurrency

/// Executors' memory that outlives a call, for as many threads as match at the same moment.
///
/// A slot is taken by the one thread that turned its flag on, and belongs to it alone until it turns the flag off; no
/// thread ever waits for another one's match. A thread that finds all slots taken makes one more, up to a bound, and
/// beyond that works with memory of its own. What a slot keeps is counted by an account; a slot that grows beyond the
/// account's limit forgets what it has.
struct ScratchPool<Scratch: PooledMemory>: Sendable {
    private let first: ScratchSlot<Scratch>

    /// A pool whose slots start out as `scratch`, which should be as good as empty.
    init(_ scratch: Scratch, account: CacheAccount = .shared) { first = ScratchSlot(scratch, account) }

    /// Calls `body` with memory that nobody else uses meanwhile. `spare` makes more if all is in use.
    @inline(__always)
    func withScratch<Result>(or spare: () -> Scratch, _ body: (inout Scratch) -> Result) -> Result {
        guard first.take() else { return withLaterScratch(or: spare, body) }
        defer { first.release() }
        return body(&first.scratch)
    }

    @inline(never)
    private func withLaterScratch<Result>(or spare: () -> Scratch, _ body: (inout Scratch) -> Result) -> Result {
        var slot = first
        for _ in 1..<RegExpLimits.pooledCaches {
            slot = slot.next(or: spare)
            if slot.take() {
                defer { slot.release() }
                return body(&slot.scratch)
            }
        }
        var own = spare()
        return body(&own)
    }
}

/// One thread's memory at a time.
///
/// Unchecked, because the compiler cannot see what makes it safe: `scratch` is touched only between a `take` that gave
/// true and the `release` after it, and of the threads that call `take` in between none gets true.
private final class ScratchSlot<Scratch: PooledMemory>: @unchecked Sendable {
    // The flag excludes overlapping accesses already; checking again at run time took 5 ns of a test's 60.
    @exclusivity(unchecked) var scratch: Scratch
    private let isTaken = Atomic(false)
    private let following = AtomicLazyReference<ScratchSlot>()

    private let account: CacheAccount
    /// Bytes that the account knows of. It belongs to the thread that has the slot.
    private var counted = 0

    init(_ scratch: Scratch, _ account: CacheAccount) {
        self.scratch = scratch
        self.account = account
    }

    deinit { _ = account.add(-counted) }

    /// Whether the slot is the caller's now. Looks before it writes, so that threads do not fight for a taken slot.
    @inline(__always)
    func take() -> Bool {
        !isTaken.load(ordering: .relaxed)
            && isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    @inline(__always)
    func release() {
        if scratch.heldBytes != counted { settle() }
        isTaken.store(false, ordering: .releasing)
    }

    @inline(never)
    private func settle() {
        if !count() {
            scratch.forget()
            _ = count()
        }
    }

    private func count() -> Bool {
        let change = scratch.heldBytes - counted
        counted += change
        return account.add(change)
    }

    /// The slot after this one, made if there is none.
    func next(or scratch: () -> Scratch) -> ScratchSlot {
        following.load() ?? following.storeIfNil(ScratchSlot(scratch(), account))
    }
}
