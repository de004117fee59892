import ConvertTestSupport
import ConvertTesting
import Testing

/// Tests and tasks at once that force one experience of one SDK differently.
struct ParallelForcingTests {
    private static let sdk = ConvertSDK(testing: Shop.project)

    @Test(arguments: 0..<50) func eachTestSeesItsOwnAnswers(number: Int) async { await force(number) }

    /// More than tests that run at once; a thousand with CONVERT_CASES=2.
    @Test func eachOfManyTasksSeesItsOwnAnswers() async {
        await withTaskGroup { group in
            for number in 0..<inputSize(1_000, plain: 200) { group.addTask { await force(1_000 + number) } }
        }
    }

    private func force(_ number: Int) async {
        let arm = "v\(number % 7)"
        let shop = Shop(convert: Self.sdk)
        await withForced(.force("checkout", arm), number % 2 == 0 ? .enable("gift-wrap") : .disable("gift-wrap")) {
            for _ in 0..<5 {
                // The visitor that all of them share is decided anew again and again.
                let shared = Self.sdk.createContext(visitorID: "shared")
                #expect(shared.decide("checkout").variation?.variationKey == arm)
                #expect(shared.isFeatureEnabled("gift-wrap") == (number % 2 == 0))
                await Task.yield()
                #expect(shop.page("own-\(number)") == (arm, number % 7))
            }
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<3 { group.addTask { shop.page("shared").variation } }
                for await seen in group { #expect(seen == arm) }
            }
        }
        #expect(shop.page("free-\(number)").variation == nil)
        #expect(Self.sdk.trackedEvents(of: "own-\(number)") == [.exposure("checkout", arm, visitorID: "own-\(number)")])
    }
}
