import Testing

@testable import ConvertECMAScript

struct StringBitsTests {
    private static let texts = [
        "", "a", "b", "0123456789abcde", "日本", "a text of more than fifteen bytes", "a second long text",
    ]

    @Test func textsOfTheSameBitsAreTheSame() {
        for left in Self.texts {
            for right in Self.texts where StringBits(left).match(StringBits(right)) { #expect(left == right) }
            #expect(!StringBits().match(StringBits(left)))
        }
    }

    #if _pointerBitWidth(_64)
    @Test func aCopyOfATextHasItsBits() {
        for text in Self.texts {
            let copy = text
            #expect(StringBits(text).match(StringBits(copy)))
            withUnsafePointer(to: text) { #expect(StringBits(at: $0).match(StringBits(copy))) }
        }
    }

    @Test(arguments: [1, 8, 9, 30]) func aMemberIsFoundByTheBitsOfItsName(count: Int) {
        let object = JSObject((0..<count).map { ("a name of more than fifteen bytes, \($0)", .integer($0)) })
        for (index, member) in object.members.enumerated() {
            let key = member.key
            // The same name in other bits.
            let other = PropertyKey(String(decoding: Array(key.name.utf8), as: UTF8.self))
            object.withView { view in
                #expect(describe(view.place(ofNameIn: StringBits(key.name), hash: key.hash)) == "member \(index)")
                #expect(describe(view.place(ofNameIn: StringBits(other.name), hash: other.hash)) == "unsure")
            }
        }
        let absent = PropertyKey("no name of theirs")
        object.withView { #expect(describe($0.place(ofNameIn: StringBits(absent.name), hash: absent.hash)) == "none") }
    }

    private func describe(_ place: JSObject.View.Place) -> String {
        switch place {
        case .member(let index): "member \(index)"
        case .none: "none"
        case .unsure: "unsure"
        }
    }
    #endif
}
