import ConvertECMAScript
import ConvertTestSupport
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

    @Test(arguments: [0, 1, 8, 9, 16, 17, 40]) func valuesAreFoundByNamesOfAnyLength(size: Int) {
        let names = (0..<size).map { String(repeating: "é\($0)", count: $0) }
        let object = JSObject(zip(names, (0..<size).map { JSValue.integer($0) }))
        for (index, name) in names.enumerated() {
            let value = JSValue.integer(index)
            #expect(object[name] == value && object[PropertyKey(name)] == value)
            let place = name.withUTF8Bytes { object.index(of: $0, hash: PropertyKey(name).hash) }
            #expect(place == index)
        }
        let absent = String(repeating: "é\(size)", count: size + 1)
        #expect(object[absent] == nil && object[PropertyKey(absent)] == nil)
        #expect(absent.withUTF8Bytes { object.index(of: $0, hash: PropertyKey(absent).hash) } == nil)
    }

    @Test func aNameIsFoundHoweverItIsKept() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<caseCount(2000) {
            let bytes = (0..<random.int(0...18)).map { _ in UInt8(random.int(0...127)) }
            // In place of an address, as far as it is short enough, and in memory of its own.
            var stored = ""
            stored.reserveCapacity(100)
            let text = String(decoding: bytes, as: UTF8.self)
            stored += text
            for name in [text, stored] {
                let object = JSObject([(name, JSValue.integer(1))])
                for key in [text, stored] {
                    #expect(object[key] == 1 && object[PropertyKey(key)] == 1, "\(bytes)")
                    #expect(PropertyKey(key) == PropertyKey(name), "\(bytes)")
                }
            }
        }
    }
}
