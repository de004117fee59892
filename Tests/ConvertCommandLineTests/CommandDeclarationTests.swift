import Testing

@testable import convert_sdk

struct CommandDeclarationTests {
    @Test(arguments: CommandList.all.map { $0.declaration.name })
    func everyOptionHasASpellingOfItsOwnAndStandsOnTheHelpPage(name: String) throws {
        let declaration = try CommandList.command(name).declaration
        let options = declaration.allOptions
        #expect(Set(options.map(\.name)).count == options.count)
        let letters = options.compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
        let page = HelpPage(of: declaration).lines
        #expect(page.first == "convert-sdk \(name) \(declaration.usage)")
        for option in options { #expect(page.contains { $0.hasPrefix("  \(option.spelling) ") }) }
        #expect(page.allSatisfy { $0.count <= 110 && $0.last != " " })
    }

    @Test func theNearestCommandIsNamed() {
        #expect(throws: UsageError("unknown command 'decode'; did you mean 'decide'? 'convert-sdk help' lists them")) {
            try CommandList.command("decode")
        }
    }
}
