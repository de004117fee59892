import ConvertTestSupport
import Testing

struct StressTests {
    @Test(.timeLimit(.minutes(20))) func noEventIsLostWhileEverythingHappensAtOnce() async throws {
        let (status, output) = try await BuiltProduct.run("ConvertStress", [])
        #expect(status == 0, "\(output)")
    }
}
