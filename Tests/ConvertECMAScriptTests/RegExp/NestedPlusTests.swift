import Testing

@testable import ConvertECMAScript

@Suite
struct NestedPlusTests {
    /// `depth` loops inside each other, each with a minimum of one.
    private static func nested(_ depth: Int) -> String {
        "^" + String(repeating: "(?:", count: depth) + "a" + String(repeating: "a|a)+", count: depth) + "$"
    }

    @Test("A plus inside a plus adds to a pattern's size and does not multiply it", arguments: [14, 18, 200])
    func plusesAddUp(depth: Int) throws {
        let expression = try RegExp(Self.nested(depth))
        #expect(expression.plan.executor == .automaton)
        #expect(try !expression.test(String(repeating: "a", count: 60) + "c"))
    }

    @Test("Pluses around what can be empty add up too", arguments: ["(", "(?:"])
    func emptyIterationsAddUp(opening: String) throws {
        let loops = String(repeating: opening, count: 60) + "a?(?=a*c|)" + String(repeating: ")+", count: 60)
        let pattern = "^\(loops)b"
        #expect(try RegExp(pattern).exec(String(repeating: "a", count: 20) + "b")?.range == 0..<21)
        #expect(try RegExp(pattern).exec(String(repeating: "a", count: 20) + "c") == nil)
    }

    @Test("What a test of nested pluses finds, exec finds too", arguments: [8, 13, 18])
    func execAnswers(depth: Int) throws {
        let expression = try RegExp(Self.nested(depth))
        #expect(try expression.exec(String(repeating: "a", count: 600))?.range == 0..<600)
    }
}
