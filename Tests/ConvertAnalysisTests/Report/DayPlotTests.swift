@testable import ConvertAnalysis
import Testing

/// Numbers over days, as SVG.
struct DayPlotTests {
    private static let plot = DayPlot(
        label: "Shares of <a>", days: ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"],
        lines: [DayPlot.Line(name: "a & b", color: 7, values: [0, 1, 2, 9])],
        levels: [DayPlot.Level(value: 0, text: "0"), DayPlot.Level(value: 3, text: "0.001", isBound: true)],
        range: 0...4, marks: [DayPlot.Mark(day: 3, text: "broke", isBad: true)]
    ).html.source

    @Test func aPlotHasAName() {
        #expect(Self.plot.contains(#"role="img" aria-label="Shares of &lt;a&gt;">"#))
    }

    @Test func aLineGoesThroughTheMiddleOfEachDayAndStaysInThePlot() {
        #expect(
            Self.plot.contains(
                #"<polyline class="l1" points="12.50,148.00 37.50,115.50 62.50,83.00 87.50,18.00"/>"#))
    }

    @Test func aBoundIsDrawnWithTheZoneAboveIt() {
        #expect(Self.plot.contains(#"<rect class="zone" x="0" y="18.00" width="100%" height="32.50"/>"#))
        #expect(Self.plot.contains(#"<line class="bound" x1="0" x2="100%" y1="50.50" y2="50.50"/>"#))
    }

    @Test func aMarkStandsAtItsDay() {
        #expect(Self.plot.contains(#"<line class="mark bad" x1="87.50%" x2="87.50%""#))
        #expect(Self.plot.contains(#"text-anchor="end">broke</text>"#))
    }

    @Test func eachPointHasItsNumbersAsATitle() {
        #expect(Self.plot.contains("<title>2026-11-02, a &amp; b: 1.00</title>"))
    }

    @Test func manyDaysHaveNoDots() {
        let days = (0..<100).map { "day \($0)" }
        let plot = DayPlot(
            label: "", days: days, lines: [DayPlot.Line(name: "a", color: 0, values: days.map { _ in 0 })], levels: [],
            range: 0...1)
        #expect(!plot.html.source.contains("<circle") && plot.html.source.contains("<polyline"))
    }
}
