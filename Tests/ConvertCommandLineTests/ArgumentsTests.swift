import Testing

@testable import convert_sdk

struct ArgumentsTests {
    private static let config = OptionDeclaration("--config", "c", .file, "the config")
    private static let attribute = OptionDeclaration("--attribute", "a", .text("KEY=TEXT"), isRepeatable: true, "one")
    private static let json = OptionDeclaration("--json", "j", "print JSON")
    private static let explain = OptionDeclaration("--explain", "x", "tell every step")
    private static let declaration = CommandDeclaration(
        name: "try", summary: "", usage: "", discussion: "",
        operands: CommandDeclaration.Operands(name: "PATH", meaning: "a file", count: 0...2),
        options: [config, attribute, json, explain])

    private func parse(_ arguments: String...) throws -> Arguments {
        try Arguments(arguments, for: Self.declaration)
    }

    @Test func valuesFollowTheirOptionOrAnEqualsSign() throws {
        let arguments = try parse("--config", "a.json", "--attribute=k=v=w")
        #expect(arguments[Self.config] == "a.json")
        #expect(arguments.all(Self.attribute) == ["k=v=w"])
    }

    @Test func repeatedOptionsKeepTheirOrder() throws {
        #expect(try parse("--attribute", "a=1", "-a", "b=2").all(Self.attribute) == ["a=1", "b=2"])
    }

    @Test(arguments: [["-c", "a.json", "-jx"], ["-jxca.json"], ["-j", "-x", "--config=a.json"]])
    func shortFormsMayBeJoinedAndTheLastMayHaveAValue(arguments: [String]) throws {
        let arguments = try Arguments(arguments, for: Self.declaration)
        #expect(arguments[Self.config] == "a.json" && arguments.has(Self.json) && arguments.has(Self.explain))
    }

    @Test func aValueThatLooksLikeAnOptionNeedsTheEqualsSign() throws {
        #expect(try parse("--config=--json")[Self.config] == "--json")
        #expect(try parse("-a", "-5=x").all(Self.attribute) == ["-5=x"])
        #expect(throws: UsageError("--config needs a value; see 'convert-sdk help try'")) {
            try parse("--config", "--json")
        }
    }

    @Test func everythingBehindADoubleDashIsAnOperandAndSoIsADash() throws {
        #expect(try parse("x", "--", "--json").operands == ["x", "--json"])
        #expect(try parse("-").operands == ["-"])
    }

    @Test func anUnknownOptionIsNamedAndTheNearestOneToo() {
        #expect(throws: UsageError("unknown option '--jason'; did you mean '--json'? see 'convert-sdk help try'")) {
            try parse("--jason")
        }
        #expect(throws: UsageError("unknown option '--zzz'; see 'convert-sdk help try'")) { try parse("--zzz") }
        #expect(throws: UsageError.self) { try parse("-z") }
        #expect(throws: UsageError.self) { try parse("-jz") }
    }

    @Test(arguments: [["--config"], ["-c"], ["-jc"]]) func anOptionWithoutItsValueIsNamed(arguments: [String]) {
        let error = #expect(throws: UsageError.self) { try Arguments(arguments, for: Self.declaration) }
        #expect(error?.message.hasSuffix("needs a value; see 'convert-sdk help try'") == true)
    }

    @Test func aFlagTakesNoValue() {
        #expect(throws: UsageError("--json takes no value")) { try parse("--json=yes") }
    }

    @Test func anOptionThatStandsForOneThingIsGivenOnce() throws {
        #expect(throws: UsageError("--config was given more than once; give it once")) {
            try parse("--config", "a", "-c", "b")
        }
        #expect(try parse("--json", "-j").has(Self.json))
    }

    @Test func operandsAreAsManyAsTheDeclarationSays() throws {
        #expect(throws: UsageError("unexpected 'c'; see 'convert-sdk help try'")) { try parse("a", "b", "c") }
        let error = #expect(throws: UsageError.self) { try Arguments([], for: VectorsCommand.declaration) }
        #expect(error?.message == "PATH is missing: a vector file, or a folder of them; see 'convert-sdk help vectors'")
    }

    @Test(arguments: [["--help"], ["-h"], ["-jh"], ["x", "--help", "--nonsense"]])
    func helpIsAskedForAnywhere(arguments: [String]) {
        #expect(throws: Arguments.HelpRequest.self) { try Arguments(arguments, for: Self.declaration) }
    }
}
