import Testing

@testable import ConvertECMAScript

/// What a pattern keeps for matches that take backtracking too long.
struct KeptLinearProgramTests {
    private static let input = String(repeating: "bcde", count: 300)

    @Test("Kept programs count among what all patterns share, and go with their pattern")
    func programsAreCounted() throws {
        let account = CacheAccount(limit: 1 << 17)
        do {
            let expressions = try (0..<12).map { number in
                try RegExp("(q\(number))\\1|(?:bc|de){500}\(number)!", flags: "", account: account)
            }
            #expect(account.heldBytes == 0)
            for expression in expressions {
                #expect(try !expression.test(Self.input))
                #expect(account.heldBytes <= 1 << 17)
            }
            #expect(account.heldBytes > 1 << 15)
        }
        #expect(account.heldBytes == 0)
    }

    @Test("Programs take at most half of what their pattern's account and the process may keep")
    func programsLeaveRoomForCaches() {
        let whole = CacheAccount(limit: 100)
        let (first, second) = (CacheAccount(limit: 60, partOf: whole), CacheAccount(limit: 60, partOf: whole))
        #expect(first.addLasting(30))
        #expect(!first.addLasting(1))
        _ = first.addLasting(-1)
        #expect(first.add(30))
        #expect(second.addLasting(20))
        #expect(!second.addLasting(1))
        _ = second.addLasting(-21)
        #expect(first.heldBytes == 60 && second.heldBytes == 0 && whole.heldBytes == 60)
        #expect(second.add(40))
        #expect(!second.addLasting(1))
    }

    @Test(arguments: [50, 10_000])
    func aProgramOrItsAbsenceIsPlannedOnce(count: Int) throws {
        let expression = try RegExp("(q)\\1|(?:(?:bc|de){\(count)}x?){20}!")
        var visits: [Int] = []
        for _ in 0..<3 {
            var budget = RegExpBudget()
            let before = budget.visits
            let input = String(repeating: "bcde", count: 100)
            #expect(
                try input.utf8.withElements { bytes in
                    Result { () throws(RegExpBudgetExceeded) in try expression.test(utf8: bytes, budget: &budget) }
                }.get() == false)
            visits.append(before - budget.visits)
        }
        #expect(visits[0] > visits[1] && visits[1] == visits[2])
    }

    @Test("Without room for a program answers stay the same")
    func answersNeedNoRoom() throws {
        let account = CacheAccount(limit: 0)
        let expression = try RegExp("(?:(bc)|de){200}d?(e?)$", flags: "", account: account)
        for _ in 0..<2 {
            #expect(try expression.exec(Self.input)?.range == 798..<1_200)
            #expect(account.heldBytes < 100)
        }
    }
}
