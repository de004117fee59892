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

    @Test("What a test of nested pluses finds, exec finds too", arguments: [8, 13, 18])
    func execAnswers(depth: Int) throws {
        let expression = try RegExp(Self.nested(depth))
        #expect(try expression.exec(String(repeating: "a", count: 600))?.range == 0..<600)
    }
}
