import ConvertECMAScript
import Foundation
import Testing

struct JSONLimitsTests {
    private func code(_ text: String, _ change: (inout JSONLimits) -> Void = { _ in }) -> JSONSyntaxError.Code? {
        var limits = JSONLimits()
        change(&limits)
        do {
            _ = try ECMAScript.parseJSON(text, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    static let nestings = [("[", "]", "1"), (#"{"a":"#, "}", "1"), (#"[{"a":"#, "}]", "1")]

    private static func nested(_ depth: Int, in nesting: (String, String, String)) -> String {
        let count = depth / nesting.1.count
        return String(repeating: nesting.0, count: count) + nesting.2 + String(repeating: nesting.1, count: count)
    }

    @Test(arguments: nestings) func nestingIsTakenTo512(opener: String, closer: String, inner: String) {
        #expect(code(Self.nested(512, in: (opener, closer, inner))) == nil)
        #expect(code(Self.nested(514, in: (opener, closer, inner))) == .tooDeep)
        #expect(code("[\(Self.nested(512, in: (opener, closer, inner)))]") == .tooDeep)
    }

    @Test func valuesAreCountedWithEverythingInThem() {
        #expect(code(#"{"a":[1,2],"b":{}}"#) { $0.values = 5 } == nil)
        #expect(code(#"{"a":[1,2],"b":{}}"#) { $0.values = 4 } == .tooManyValues)
    }

    @Test func namesAreCountedOnceEach() {
        #expect(code(#"{"a":1,"b":{"a":2,"\u0062":3}}"#) { $0.names = 2 } == nil)
        #expect(code(#"{"a":1,"b":{"a":2,"\u0063":3}}"#) { $0.names = 2 } == .tooManyNames)
    }

    @Test func lengthIsCountedInBytes() {
        #expect(code("\"é\"") { $0.length = 4 } == nil)
        #expect(code("\"é\"") { $0.length = 3 } == .tooLong)
    }

    /// Were the list copied at the end of each element, five thousand million values would be.
    @Test func aListOfManyObjectsIsReadAtOnce() throws {
        let text = "[" + repeatElement("{}", count: 100_000).joined(separator: ",") + "]"
        let value = try ECMAScript.parseJSON(text).withRoot { $0.value }
        #expect(value.arrayValue?.count == 100_000)
    }

    /// Values as deep as they may be, on a thread with as little stack as they come.
    @Test(arguments: nestings) func aDeepValueNeedsLittleStack(opener: String, closer: String, inner: String) async {
        let text = Self.nested(512, in: (opener, closer, inner))
        let isRight = await withCheckedContinuation { continuation in
            let thread = Thread {
                let value = try? ECMAScript.parseJSON(text).withRoot { $0.value }
                let other = try? ECMAScript.parseJSON(text).withRoot { $0.value }
                let isRight = value == other && value.map { ECMAScript.jsonText(of: $0) } == text
                continuation.resume(returning: isRight)
            }
            thread.stackSize = 128 * 1024
            thread.start()
        }
        #expect(isRight)
    }

    @Test func aValueThatAnAppBuiltMayBeAsDeep() async {
        let isRight = await withCheckedContinuation { continuation in
            let thread = Thread {
                func nested() -> JSValue {
                    (0..<512).reduce(1) { value, level in level % 2 == 0 ? [value] : ["a": value] }
                }
                continuation.resume(returning: nested() == nested() && nested() != [nested()])
            }
            thread.stackSize = 128 * 1024
            thread.start()
        }
        #expect(isRight)
    }

    @Test func comparingTakesNoStackHoweverDeepAValueIs() {
        func nested() -> JSValue { (0..<5_000).reduce(1) { value, _ in ["a": [value]] } }
        #expect(nested() == nested())
        #expect(nested() != [nested()])
    }
}
