import Testing

@testable import convert_sdk

struct ArgumentsTests {
    private func parse(_ arguments: String...) throws -> Arguments {
        try Arguments(arguments, valued: ["--config", "--attribute"], flags: ["--json"], command: "decide")
    }

    @Test func valuesFollowTheirOptionOrAnEqualsSign() throws {
        let arguments = try parse("--config", "a.json", "--attribute=k=v=w")
        #expect(try arguments.single("--config") == "a.json")
        #expect(arguments.all("--attribute") == ["k=v=w"])
    }

    @Test func repeatedOptionsKeepTheirOrder() throws {
        #expect(try parse("--attribute", "a=1", "--attribute", "b=2").all("--attribute") == ["a=1", "b=2"])
    }

    @Test func aValueThatLooksLikeAnOptionNeedsTheEqualsSign() throws {
        #expect(try parse("--config=--json").single("--config") == "--json")
        #expect(throws: UsageError("--config needs a value; see 'convert-sdk help decide'")) {
            try parse("--config", "--json")
        }
    }

    @Test func everythingBehindADoubleDashIsAnOperand() throws {
        #expect(try parse("x", "--", "--json").operands == ["x", "--json"])
    }

    @Test func anUnknownOptionIsNamed() {
        #expect(throws: UsageError("unknown option '--jason'; see 'convert-sdk help decide'")) { try parse("--jason") }
    }

    @Test func anOptionWithoutItsValueIsNamed() {
        #expect(throws: UsageError("--config needs a value; see 'convert-sdk help decide'")) { try parse("--config") }
    }

    @Test func aFlagTakesNoValue() {
        #expect(throws: UsageError("--json takes no value")) { try parse("--json=yes") }
    }

    @Test func anOptionThatStandsForOneThingIsGivenOnce() throws {
        let arguments = try parse("--config", "a", "--config", "b")
        #expect(throws: UsageError("--config was given 2 times; give it once")) { try arguments.single("--config") }
    }
}
