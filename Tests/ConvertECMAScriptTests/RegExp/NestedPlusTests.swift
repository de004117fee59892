import ConvertTestSupport
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

    @Test(
        "Lazy pluses around what can be empty add up, wherever the body prefers to be empty",
        arguments: ["a?", "a??", "a||b", "(?:^|a)(?=a*c|)"], ["(", "(?:"])
    func lazyEmptyIterationsAddUp(body: String, opening: String) throws {
        let pattern = "^" + String(repeating: opening, count: 60) + body + String(repeating: "|)+?", count: 60) + "b$"
        let letters = String(repeating: "a", count: inputSize(200, plain: 60))
        for input in [letters + "b", letters + "c", "b"] {
            let expression = try RegExp(pattern)
            let range = try expression.exec(input)?.range
            #expect(range == (input.hasSuffix("b") ? 0..<input.utf8.count : nil))
        }
    }

    @Test("Captures of lazy pluses inside each other take as long as their pattern and input", arguments: [4, 8, 16])
    func lazyCapturesAreLinear(depth: Int) throws {
        let pattern = "^" + String(repeating: "(a||", count: depth) + "b" + String(repeating: ")+?", count: depth) + "$"
        let (tree, analysis) = try CompiledRegExp.parse(Array(pattern.utf16), flags: RegExpFlags(parsing: ""))
        let program = try #require(LinearProgram(tree, analysis, isAnchored: true))
        let input = String(repeating: "ab", count: 100)
        try Array(input.utf8).withElements { bytes in
            var matcher = LinearMatcher(program, ASCIIInput(bytes: bytes))
            let registers = try #require(try matcher.search())
            #expect(registers == [0, 200] + (0..<depth).flatMap { _ in [199, 200] as [Int32] })
            #expect(matcher.work < 100 * depth * bytes.count)
        }
    }

    @Test("What a test of nested pluses finds, exec finds too", arguments: [8, 13, 18])
    func execAnswers(depth: Int) throws {
        let expression = try RegExp(Self.nested(depth))
        let count = inputSize(600, plain: 150)
        #expect(try expression.exec(String(repeating: "a", count: count))?.range == 0..<count)
    }
}
