/// A line chart of numbers over days, which shows when a change began.
///
/// Positions along the days are percentages, so the chart is as wide as the page while its texts keep their size. Each
/// point has its numbers as a title.
struct DayPlot {
    /// A line with one number for each day.
    struct Line {
        let name: String
        /// The index of the line's color.
        let color: Int
        let values: [Double]
    }

    /// A labelled height.
    struct Level {
        let value: Double
        let text: String
        /// Whether values above the level are bad.
        var isBound = false
    }

    /// A labelled day.
    struct Mark {
        let day: Int
        let text: String
        var isBad = false
    }

    /// A sentence that describes the chart.
    let label: String
    let days: [String]
    let lines: [Line]
    let levels: [Level]
    let range: ClosedRange<Double>
    var marks: [Mark] = []

    private static let height = 130.0
    /// The space for the texts of marks above the chart, and of days below it.
    private static let margin = 18.0
    /// The maximum number of days for which each day has a dot.
    private static let mostDots = 60

    var html: HTML {
        let total = Self.height + 2 * Self.margin
        return """
            <svg class="plot" height="\(HTMLPage.fixed(total))" role="img" aria-label="\(label)">\
            \(HTML(levels.map(drawing)))\(HTML(marks.map(drawing)))\(curves)\(dots)\(ends)</svg>
            """
    }

    private func drawing(_ level: Level) -> HTML {
        let height = text(y(level.value))
        let zone: HTML =
            level.isBound
            ? """
            <rect class="zone" x="0" y="\(text(Self.margin))" width="100%" \
            height="\(text(y(level.value) - Self.margin))"/>
            """ : ""
        let name: HTML = level.isBound ? "bound" : "level"
        return """
            \(zone)<line class="\(name)" x1="0" x2="100%" y1="\(height)" y2="\(height)"/>\
            <text x="-6" y="\(height)" dy=".3em" text-anchor="end">\(level.text)</text>
            """
    }

    private func drawing(_ mark: Mark) -> HTML {
        let place = x(mark.day)
        let name: HTML = mark.isBad ? "mark bad" : "mark"
        let anchor: HTML = mark.day * 4 < days.count ? "start" : mark.day * 4 >= days.count * 3 ? "end" : "middle"
        return """
            <line class="\(name)" x1="\(place)%" x2="\(place)%" y1="\(text(Self.margin))" \
            y2="\(text(Self.margin + Self.height))"/>\
            <text class="\(name)" x="\(place)%" y="\(text(Self.margin - 5))" text-anchor="\(anchor)">\(mark.text)</text>
            """
    }

    private var curves: HTML {
        let curves = lines.map { line -> HTML in
            let points = line.values.indices.map { "\(x($0)),\(text(y(line.values[$0])))" }.joined(separator: " ")
            return #"<polyline class="l\#(line.color % 6)" points="\#(points)"/>"#
        }
        let height = text(Self.height + 2 * Self.margin)
        return """
            <svg width="100%" height="\(height)" viewBox="0 0 100 \(height)" preserveAspectRatio="none">\
            \(HTML(curves))</svg>
            """
    }

    private var dots: HTML {
        if days.count > Self.mostDots { return "" }
        return HTML(
            lines.flatMap { line in
                line.values.indices.map { day -> HTML in
                    """
                    <circle class="l\(line.color % 6)" cx="\(x(day))%" cy="\(text(y(line.values[day])))" r="3">\
                    <title>\(days[day]), \(line.name): \(HTMLPage.fixed(line.values[day]))</title></circle>
                    """
                }
            })
    }

    /// The first and the last day.
    private var ends: HTML {
        let height = text(Self.height + 2 * Self.margin - 4)
        let last: HTML =
            days.count < 2 ? "" : #"<text x="100%" y="\#(height)" text-anchor="end">\#(days.last ?? "")</text>"#
        return #"<text x="0" y="\#(height)">\#(days.first ?? "")</text>\#(last)"#
    }

    /// The horizontal position of a day, in percent.
    private func x(_ day: Int) -> String { text((Double(day) + 0.5) / Double(max(1, days.count)) * 100) }

    private func y(_ value: Double) -> Double {
        let inside = min(max(value, range.lowerBound), range.upperBound)
        let part = (inside - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Self.margin + (1 - part) * Self.height
    }

    private func text(_ number: Double) -> String { HTMLPage.fixed(number) }
}
