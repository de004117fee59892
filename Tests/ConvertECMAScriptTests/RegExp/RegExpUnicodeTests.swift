import ConvertTestSupport
import Testing

@testable import ConvertECMAScript

/// The flags `u` and `v`. That they answer as engines do is recorded; here stands what a text in UTF-8 adds to that.
struct RegExpUnicodeTests {
    @Test func codePointsAreConsumedWhole() throws {
        #expect(try RegExp("^.$", flags: "u").test("😀"))
        #expect(try !RegExp("^..$", flags: "u").test("😀"))
        #expect(try RegExp("😀{2}", flags: "v").exec("a😀😀")?.range == 1..<5)
        #expect(try !RegExp("\\ud83d", flags: "u").test("😀"))
    }

    /// Between the halves of a pair there is no place to begin.
    @Test(arguments: ["(?!😀)(?<!^)", "(?<=.)(?!.)", "\\B(?<=\\p{Emoji})"])
    func emptyMatchesStandBetweenCodePoints(pattern: String) throws {
        let expression = try RegExp(pattern, flags: "u")
        #expect(try expression.exec("😀")?.range == 2..<2)
        #expect(try expression.exec("a😀").map { $0.range.lowerBound != 2 } == true)
    }

    @Test func backReferencesFoldCodePoints() throws {
        #expect(try RegExp("(𐐀)\\1", flags: "iu").test("𐐀𐐨"))
        #expect(try RegExp("(?<=\\1(𐐀))$", flags: "iu").test("𐐨𐐀"))
        #expect(try !RegExp("(𐐀)\\1", flags: "u").test("𐐀𐐨"))
    }

    /// Sets in units, taken together again, are the sets in code points.
    @Test func setsOfCodePointsSurviveTheirEncoding() {
        let sets = [
            CodePointSet.all, .empty, CodePointSet(ranges: [0x41...0x5a, 0x1f600...0x1f64f]),
            CodePointSet(ranges: [0xffff...0x10000, 0x103fe...0x10802, 0x10ffff...0x10ffff]),
            UnicodeProperties.set("L", value: nil) ?? .empty,
        ]
        // Every seventh code point with CONVERT_CASES=2.
        let step = inputSize(7, plain: 141)
        for set in sets {
            let units = set.singleUnits
            let pairs = set.surrogatePairs
            for point in stride(from: UInt32(0), through: 0x10ffff, by: step) where !(0xd800...0xdfff).contains(point) {
                let isInside: Bool
                if point < 0x10000 {
                    isInside = units.contains(UInt16(point))
                } else {
                    let lead = UInt16(0xd800 + (point - 0x10000) >> 10)
                    let trail = UInt16(0xdc00 + (point - 0x10000) & 0x3ff)
                    isInside = pairs.contains { $0.leads.contains(lead) && $0.trails.contains(trail) }
                }
                // An expectation for each of these points would take most of the time.
                if isInside != set.contains(point) { Issue.record("U+\(String(point, radix: 16))") }
            }
        }
    }

    /// Every name leads to a set of its own kind, with bounds in order.
    @Test func propertyTablesAreInOrder() {
        let starts = UnicodeTables.propertyStarts
        #expect(starts.count == UnicodeTables.propertyNames.count + 1)
        for number in UnicodeTables.propertyNames.indices {
            let bounds = UnicodeTables.propertyBounds[Int(starts[number])..<Int(starts[number + 1])]
            #expect(bounds.count.isMultiple(of: 2))
            #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 <= $1 }, "\(UnicodeTables.propertyNames[number])")
        }
        #expect(UnicodeProperties.set("gc", value: "Lu") == UnicodeProperties.set("Uppercase_Letter", value: nil))
        #expect(UnicodeProperties.set("sc", value: "Lu") == nil)
    }

    @Test func propertiesOfStringsHaveTheirMembers() throws {
        let emoji = try RegExp("^\\p{RGI_Emoji}$", flags: "v")
        for text in ["😀", "🇩🇪", "0️⃣", "👍🏽", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"] { #expect(try emoji.test(text)) }
        #expect(try !emoji.test("a"))
        #expect(try !emoji.test("🇩"))
        #expect(emoji.plan.executor == .automaton)
    }

    @Test func foldingHasOneMemberForEachClass() {
        #expect(SimpleFolding.canonical(0x212a) == SimpleFolding.canonical(0x6b))
        #expect(SimpleFolding.canonical(SimpleFolding.allCanonical) == SimpleFolding.allCanonical)
        #expect(SimpleFolding.closure(of: SimpleFolding.allCanonical) == .all)
    }
}
