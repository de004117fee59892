import ConvertECMAScript
import ConvertSwiftSDKCore
import Testing

struct MurmurHash3Tests {
    /// Published answers of the C++ reference, then one of the JavaScript package's.
    static let references: [(key: String, seed: UInt32, hash: UInt32)] = [
        ("", 0, 0), ("", 1, 0x514e_28b7), ("test", 0, 0xba6b_d213), ("exp_1visitor_001", 9999, 0x4c7d_79d2),
    ]

    @Test(arguments: references) func agreesWithTheReference(key: String, seed: UInt32, hash: UInt32) {
        #expect(murmur(Array(key.utf8)[...], seed: seed) == hash)
    }

    @Test func splittingTheKeyAnywhereNeverChangesTheHash() {
        let key = Array("expérience·visitor".utf8)
        for first in 0...key.count {
            for second in first...key.count {
                #expect(
                    murmur(key[..<first], key[first..<second], key[second...]) == murmur(key[...]),
                    "split at bytes \(first) and \(second)")
            }
        }
    }
}

private func murmur(_ parts: ArraySlice<UInt8>..., seed: UInt32 = 9999) -> UInt32 {
    var hasher = MurmurHash3(seed: seed)
    for part in parts { part.withElements { hasher.combine($0) } }
    return hasher.finalize()
}
