import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

struct UTF8UnitsTests {
    /// Scalars of every length in UTF-8, at the edges of each.
    private static let scalars: [Unicode.Scalar] = [
        "a", "\u{0}", "\u{7f}", "\u{80}", "é", "\u{7ff}", "\u{800}", "\u{2028}", "\u{d7ff}", "\u{e000}", "\u{fffd}",
        "\u{ffff}", "\u{10000}", "😀", "\u{10ffff}",
    ]

    private func text(_ generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<generator.int(0...12) { text.append(generator.pick(Self.scalars)) }
        return String(text)
    }

    @Test func unitsAreThoseOfUTF16ForwardAndBackward() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let text = text(&generator)
            Array(text.utf8).withElements { bytes in
                let input = UTF8Units(bytes: bytes)
                var units: [UInt16] = []
                var positions: [Int32] = [0]
                var position = 0
                while position < input.count {
                    let (unit, width) = input.unit(at: position)
                    position += width
                    let before = input.unit(before: position)
                    #expect(before.unit == unit && before.width == width)
                    units.append(unit)
                    positions.append(Int32(position))
                }
                #expect(units == Array(text.utf16))
                #expect(position == bytes.count)
                #expect(input.unitOffsets(of: positions.reversed()) == (0...Int32(units.count)).reversed())
            }
        }
    }

    @Test func groupsWithoutAPlaceStayWithoutOne() {
        Array("é😀".utf8).withElements { bytes in
            #expect(UTF8Units(bytes: bytes).unitOffsets(of: [2, 4, -1, -1, 2, 6, 0, 0]) == [1, 2, -1, -1, 1, 3, 0, 0])
        }
    }

    /// Nothing of ours hands over such bytes; still they may not lead out of the buffer.
    @Test func bytesThatAreNoTextEnd() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let bytes = (0..<generator.int(1...9)).map { _ in
                UInt8(generator.pick([0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xf0, 0x9f, 0xff]))
            }
            bytes.withElements { bytes in
                let input = UTF8Units(bytes: bytes)
                var position = 0
                while position < input.count { position += input.unit(at: position).width }
                #expect(position == input.count)
                while position > 0 { position -= input.unit(before: position).width }
                #expect(position == 0)
            }
        }
    }

    /// Assertions look at the unit before the place where the search for the prefix goes on.
    @Test(arguments: ["é", "😀", "\u{2028}", "a", "_", " "])
    func assertionsSeeWhatStandsBeforeAPrefix(neighbour: String) throws {
        let isWord = neighbour == "a" || neighbour == "_"
        #expect(try RegExp("\\bshop").test("-" + neighbour + "shop") == !isWord)
        #expect(try RegExp("\\Bshop").test("-" + neighbour + "shop") == isWord)
        #expect(try RegExp("^shop", flags: "m").test("-" + neighbour + "shop") == (neighbour == "\u{2028}"))
    }
}
