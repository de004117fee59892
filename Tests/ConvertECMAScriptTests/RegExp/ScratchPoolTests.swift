import Testing

@testable import ConvertECMAScript

/// The memory that executors keep between calls, and the bound that all patterns share.
struct ScratchPoolTests {
    private struct Memory: PooledMemory {
        var heldBytes = 0
        mutating func forget() { heldBytes = 0 }
    }

    @Test func memoryIsKeptForTheNextCall() {
        let pool = ScratchPool(Memory(), account: CacheAccount(limit: 100))
        pool.withScratch(or: { Memory() }) { $0.heldBytes = 60 }
        #expect(pool.withScratch(or: { Memory() }) { $0.heldBytes } == 60)
    }

    @Test func poolsShareOneLimit() {
        let account = CacheAccount(limit: 100)
        let first = ScratchPool(Memory(), account: account)
        let second = ScratchPool(Memory(), account: account)
        first.withScratch(or: { Memory() }) { $0.heldBytes = 60 }
        second.withScratch(or: { Memory() }) { $0.heldBytes = 41 }
        #expect(account.heldBytes == 60)
        #expect(second.withScratch(or: { Memory() }) { $0.heldBytes } == 0)
        second.withScratch(or: { Memory() }) { $0.heldBytes = 40 }
        #expect(account.heldBytes == 100)
        #expect(second.withScratch(or: { Memory() }) { $0.heldBytes } == 40)
    }

    @Test func anAccountAlsoCountsForTheOneItIsPartOf() {
        let whole = CacheAccount(limit: 100)
        let first = CacheAccount(limit: 70, partOf: whole)
        let second = CacheAccount(limit: 70, partOf: whole)
        #expect(first.add(70) && second.add(30))
        #expect(!second.add(1))
        #expect(second.add(-1))
        #expect(!first.add(1))
        #expect(whole.heldBytes == 101 && first.heldBytes == 71 && second.heldBytes == 30)
    }

    @Test func aPoolThatGoesGivesItsShareBack() {
        let account = CacheAccount(limit: 100)
        do {
            let pool = ScratchPool(Memory(), account: account)
            pool.withScratch(or: { Memory() }) { outer in
                outer.heldBytes = 30
                pool.withScratch(or: { Memory() }) { $0.heldBytes = 20 }
            }
            #expect(account.heldBytes == 50)
        }
        #expect(account.heldBytes == 0)
    }

    /// As many patterns as a large config has, each on an input that fills its cache.
    @Test func manyPatternsKeepNoMoreThanTheirShare() throws {
        let input = String(repeating: "abbababaabbbabaaabab", count: 20)
        let expressions = try (0..<400).map { index in
            try RegExp("(?:a|b)*a[ab]{\(8 + index % 3)}c\(index)|x(?!.*y)", flags: "i")
        }
        for expression in expressions {
            #expect(try !expression.test(input))
            #expect(CacheAccount.shared.heldBytes <= RegExpLimits.sharedCacheBytes + (1 << 23))
        }
    }
}
