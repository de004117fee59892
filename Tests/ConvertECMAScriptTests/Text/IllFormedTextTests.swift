import ConvertECMAScript
import ConvertTestSupport
import Foundation
import Testing

struct IllFormedTextTests {
    private static let lead = text([0xd83d])

    private static func text(_ units: [UInt16]) -> JSValue {
        IllFormedText(codeUnits: units).map { .illFormedString($0) } ?? .string(String(decoding: units, as: UTF16.self))
    }

    @Test func wellFormedCodeUnitsMakeNoIllFormedText() {
        #expect(IllFormedText(codeUnits: [0xd83d, 0xde00, 0x61]) == nil)
        #expect(IllFormedText(codeUnits: []) == nil)
    }

    @Test(arguments: [[0xd83d], [0xde00, 0xd83d], [0x61, 0xd800, 0x62], [0xd83d, 0xd83d, 0xde00], [0xfffd, 0xdfff]])
    func codeUnitsAreKept(units: [UInt16]) {
        #expect(IllFormedText(codeUnits: units)?.codeUnits == units)
    }

    @Test func halfAPairEqualsNoOtherText() {
        #expect(Self.lead == Self.text([0xd83d]))
        for other in ["\u{fffd}", "\\ud83d", "😀", Self.text([0xde00])] as [JSValue] {
            #expect(Self.lead != other)
            #expect(!Self.lead.isStrictlyEqual(to: other))
        }
        #expect(Self.lead.isStrictlyEqual(to: Self.lead))
    }

    @Test func aNameWithHalfAPairIsFoundByNoText() throws {
        let object = try #require(JSValue(jsonText: #"{"\ud83d":1}"#)?.objectValue)
        let name = try #require(object.members.first?.key)
        #expect(object[name] == 1)
        // The second text is how the name is spelled.
        for text in ["\u{fffd}", #"\ud83d"#, name.name, "\\uD83D"] { #expect(object[text] == nil) }
        #expect(object[PropertyKey(#"\ud83d"#)] == nil)
    }

    @Test func namesThatDifferInHalfAPairAreTwo() throws {
        var object = JSObject()
        for unit in UInt16(0xd800)...0xd900 {
            let text = try #require(IllFormedText(codeUnits: [unit]))
            object[PropertyKey(text)] = .integer(Int(unit))
        }
        object["\u{fffd}"] = 1
        #expect(object.count == 0x102)
        for unit in UInt16(0xd800)...0xd900 {
            let text = try #require(IllFormedText(codeUnits: [unit]))
            #expect(object[PropertyKey(text)] == .integer(Int(unit)))
        }
    }

    @Test func halfAPairIsShownAsAReplacementCharacter() {
        #expect(ECMAScript.toString(Self.text([0x61, 0xd83d])) == "a\u{fffd}")
        #expect(ECMAScript.toString(["b", [Self.lead]]) == "b,\u{fffd}")
        #expect(Self.lead.stringValue == nil)
    }

    @Test func theOrderIsThatOfTheCodeUnits() {
        let pool: [UInt16] = [0x61, 0xd7ff, 0xd83d, 0xd83e, 0xdbff, 0xdc00, 0xde00, 0xe000, 0xfffd, 0xffff]
        var random = SeededGenerator(seed: 17)
        for _ in 0..<20_000 {
            let prefix = (0..<Int.random(in: 0...2, using: &random)).map { _ in pool.randomElement(using: &random) ?? 0
            }
            func units() -> [UInt16] {
                prefix
                    + (0..<Int.random(in: 0...3, using: &random)).map { _ in pool.randomElement(using: &random) ?? 0 }
            }
            let (left, right) = (units(), units())
            #expect(
                ECMAScript.isLessThan(Self.text(left), Self.text(right)) == left.lexicographicallyPrecedes(right),
                "\(left) \(right)")
            #expect((Self.text(left) == Self.text(right)) == (left == right), "\(left) \(right)")
        }
    }

    @Test func encodersRefuseHalfAPair() throws {
        let value = try #require(JSValue(jsonText: #"{"\ud83d":1}"#))
        for value in [Self.lead, [Self.lead], ["a": Self.lead], value] {
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
        }
    }

    @Test func decodersRefuseHalfAPair() {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSValue.self, from: Data(#"["\ud83d"]"#.utf8)) }
    }

    @Test func halfAPairKeepsItsCaseAndTheOthersLoseTheirs() {
        let text = IllFormedText(codeUnits: [0x41, 0xd83d, 0x3a3, 0xdc00])
        #expect(text?.lowercase.codeUnits == [0x61, 0xd83d, 0x3c3, 0xdc00])
    }
}

extension JSValue {
    fileprivate init?(jsonText: String) {
        guard let document = try? ECMAScript.parseJSON(jsonText) else { return nil }
        self = document.withRoot { $0.value }
    }
}
