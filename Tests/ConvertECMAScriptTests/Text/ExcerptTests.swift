import ConvertECMAScript
import Testing

struct ExcerptTests {
    @Test func aTextIsCutAfterSomeScalars() {
        #expect("".excerpt() == "")
        #expect(String(repeating: "é", count: 40).excerpt() == String(repeating: "é", count: 40))
        #expect(String(repeating: "é", count: 41).excerpt() == String(repeating: "é", count: 40) + "…")
        #expect("abc".excerpt(2) == "ab…")
    }

    @Test func oneCharacterIsCutToo() {
        let character = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(character.count == 1)
        #expect(character.excerpt().unicodeScalars.count == 41)
    }
}
