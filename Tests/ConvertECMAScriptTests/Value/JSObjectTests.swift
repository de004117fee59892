import ConvertECMAScript
import Testing

struct JSObjectTests {
    @Test func keysThatAreOnlyCanonicallyEqualAreTwoKeys() {
        var object = JSObject()
        object["caf\u{e9}"] = 1
        object["cafe\u{301}"] = 2
        #expect(object.count == 2)
        #expect(object["caf\u{e9}"] == 1)
        #expect(object["cafe\u{301}"] == 2)
    }

    @Test func membersKeepTheOrderInWhichTheirKeysWereFirstSet() {
        var object: JSObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(object.map(\.key.name) == ["b", "a", "c"])
        #expect(object["b"] == 4)
    }

    @Test func everyKeyIsFoundWhateverTheSizeAndWhateverWasRemoved() {
        for size in [0, 1, 8, 9, 24, 25, 200] {
            var object = JSObject((0..<size).map { ("key-\($0)", JSValue.integer($0)) })
            for index in 0..<size { #expect(object["key-\(index)"] == .integer(index), "of \(size)") }
            #expect(object["key-\(size)"] == nil)
            for index in stride(from: 0, to: size, by: 2) { object["key-\(index)"] = nil }
            for index in 0..<size {
                #expect(object["key-\(index)"] == (index % 2 == 0 ? nil : .integer(index)), "of \(size)")
            }
        }
    }
}
