@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertTestSupport
import Testing

struct DecimalMachineTests {
    private static let bounds: [Double] = [
        0, 1, -1, 5, 10, 100, 0.1, 0.5, -0.25, 1_000, 1e21, 1e-7, 123.456, -99.99, 4_503_599_627_370_497.5,
        9_007_199_254_740_994,
        .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity,
    ]

    @Test(arguments: bounds, [false, true])
    func textsAreOnTheSideOfTheBoundThatTheirNumberIsOn(bound: Double, orEqual: Bool) {
        let decimal = DecimalMachine.Bound(bound, orEqual: orEqual)
        let machine = DecimalMachine(
            .init(bound: decimal, below: decimal != nil || bound > 0, above: false, otherwise: false))
        var random = SeededGenerator(seed: 7)
        var texts = [
            "", "-", ".", "0", "-0", "00", "5.", ".5", "-.5", "0,500", "0,123,456", "-0,500", "1,000", "1,00",
            "12,345.6",
        ]
        for near in [bound, bound.nextUp, bound.nextDown, -bound, bound * 10, bound / 10] where near.isFinite {
            let text = ECMAScript.toString(near)
            texts += [text, text + "0", text + "1", text + ".0", "0" + text, text + "00000000000000000001"]
        }
        texts += [
            "9.99999999999999911182158029987", "9.99999999999999911182158029988", "9.9999999999999991118215802998747",
        ]
        for _ in 0..<2_000 { texts.append(random.text(of: "0123459.,-", 0...8)) }
        for text in texts {
            let number = NumericShape.isNumeric(.string(text)) ? NumericShape.toNumber(.string(text)) : nil
            let expected = number.map { orEqual ? $0 <= bound : $0 < bound } ?? false
            let state = text.utf16.reduce(0) { machine.next($0, $1) }
            #expect(machine.truth(at: state) == Truth(expected), "'\(text)' below \(bound)")
        }
    }
}
