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

    @Test(arguments: [0, 1, 8, 9, 16, 17, 40]) func aViewFindsValuesByNamesOfAnyBits(size: Int) {
        let names = (0..<size).map { "\($0) is a name of more than fifteen bytes" }
        let object = JSObject(zip(names, (0..<size).map { JSValue.integer($0) }))
        object.withView { view in
            for (index, name) in names.enumerated() {
                #expect(view.value(named: name) == .integer(index))
                #expect(view.value(named: String(decoding: Array(name.utf8), as: UTF8.self)) == .integer(index))
            }
            #expect(view.value(named: "\(size) is a name of more than fifteen bytes") == nil)
            #expect(view.value(named: "") == nil)
        }
    }
}
