import ConvertECMAScript
import Testing

struct PropertyOrderTests {
    static let indexes: [(key: String, index: UInt32)] = [
        ("0", 0), ("7", 7), ("10", 10), ("4294967294", 4_294_967_294),
    ]

    @Test(arguments: indexes)
    func canonicalNumeralsBelowTheLimitAreArrayIndexes(key: String, index: UInt32) {
        #expect(ECMAScript.arrayIndex(key) == index)
    }

    @Test(arguments: [
        "", "00", "01", "-1", "+1", "1.0", "1e3", " 1", "4294967295", "4294967296", "9999999999", "10000000000",
        "99999999999999999999", "a", "\u{661}", "1\u{301}",
    ])
    func otherKeysAreNot(key: String) {
        #expect(ECMAScript.arrayIndex(key) == nil)
    }

    @Test func arrayIndexesComeFirstAndAscendTheRestKeepsItsOrder() {
        let keys = ["b", "10", "010", "9", "4294967295", "0", "-1", "4294967294", "a"]
        #expect(
            ECMAScript.ownPropertyKeyOrder(keys).map { keys[$0] }
                == ["0", "9", "10", "4294967294", "b", "010", "4294967295", "-1", "a"])
        #expect(ECMAScript.ownPropertyKeyOrder([]).isEmpty)
    }
}
