import ConvertECMAScript
import ConvertTestSupport
import Testing

struct NearestNameTests {
    @Test(arguments: [
        ("chekout", "checkout"), ("Checkout", "checkout"), ("checkotu", "checkout"), ("check-out", "checkout"),
        ("pricing-pge", "pricing-page"), ("nav", "nav2"),
    ])
    func aSlipOfThePenIsFound(name: String, meant: String) {
        #expect(["cart", "checkout", "pricing-page", "nav2"].nearest(to: name) == meant)
    }

    @Test(arguments: ["", "x", "zebra", "out", "car-park-and-more"])
    func aDistantNameGetsNoSuggestion(name: String) {
        #expect(["checkout", "pricing-page", "cart"].nearest(to: name) == nil)
        #expect([].nearest(to: name) == nil)
    }

    @Test func theFirstOfTheNearestNamesIsTaken() {
        #expect(["abcdeX", "abcdef-", "abcdxx"].nearest(to: "abcdef") == "abcdeX")
        #expect(["abcXXX", "abcdef"].nearest(to: "abcdex") == "abcdef")
    }

    @Test func longNamesAreNotComparedForLong() {
        let long = String(repeating: "a", count: 1_000_000)
        #expect([long, long + "b"].nearest(to: long + "c") == nil)
    }

    /// Edits that may be made, against a distance that follows its definition.
    @Test func aLongNameIsFoundAfterAnyOneEdit() {
        var generator = SeededGenerator(seed: 5)
        let letters = Array("abcdefgh")
        for _ in 0..<500 {
            let name = (0..<8).map { _ in letters[Int.random(in: 0..<8, using: &generator)] }
            var typed = name
            let place = Int.random(in: 0..<7, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: typed.remove(at: place)
            case 1: typed.insert("z", at: place)
            case 2: typed[place] = "z"
            default: typed.swapAt(place, place + 1)
            }
            #expect([String(name)].nearest(to: String(typed)) == String(name))
        }
    }
}
