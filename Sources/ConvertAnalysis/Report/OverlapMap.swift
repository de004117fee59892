/// A heat map of the visitors that experiences share. The tint of a cell is the share of its row's visitors.
struct OverlapMap {
    /// The maximum number of experiences for which cells contain their numbers.
    private static let mostWritten = 8
    /// The width of a cell, in the units of the picture.
    private static let side = 10

    private let names: [String]
    private let visitors: [[Int]]

    /// - Parameters:
    ///   - names: the names of the experiences.
    ///   - visitors: for each experience, a row with the numbers of visitors that it shares with each.
    init(_ names: [String], _ visitors: [[Int]]) {
        self.names = names
        self.visitors = visitors
    }

    /// The map, with the names of its rows and columns below it. They are numbered, so that the map fits a phone.
    var html: HTML {
        let size = (names.count + 1) * Self.side
        let rows = names.indices.map { row in
            HTML([label(row + 1, x: 0, y: row + 1)] + names.indices.map { cell(row, $0) })
        }
        let heads = names.indices.map { label($0 + 1, x: $0 + 1, y: 0) }
        let keys = names.indices.map { HTML("<li><b>\($0 + 1)</b> \(names[$0])</li>") }
        return """
            <figure class="heatmap" style="--cells:\(names.count + 1)">
            <svg viewBox="0 0 \(size) \(size)" role="group" aria-label="Visitors in two experiences, by rows">
            \(HTML(heads))
            \(HTML(rows))
            </svg>
            <figcaption>The stronger a cell's tint, the more of its row's visitors are in its column too.</figcaption>
            <ul class="keys">
            \(HTML(keys))
            </ul></figure>
            """
    }

    private func label(_ number: Int, x: Int, y: Int) -> HTML {
        """
        <text aria-hidden="true" x="\(x * Self.side + Self.side / 2)" y="\(y * Self.side + 6)">\(number)</text>
        """
    }

    private func cell(_ row: Int, _ column: Int) -> HTML {
        let count = visitors[row][column]
        let share = Double(count) / Double(max(1, visitors[row][row]))
        let words =
            row == column
            ? "\(names[row]): \(HTMLPage.grouped(count)) visitors"
            : "\(names[row]) and \(names[column]): \(HTMLPage.grouped(count)) visitors, \(HTMLPage.percent(share))"
        let (x, y) = ((column + 1) * Self.side, (row + 1) * Self.side)
        let number: HTML =
            names.count > Self.mostWritten
            ? ""
            : """
            <text aria-hidden="true" class="count" x="\(x + Self.side / 2)" y="\(y + 6)">\(Self.short(count))</text>
            """
        return """
            <g role="img" aria-label="\(words)"><title>\(words)</title>\
            <rect x="\(x)" y="\(y)" width="\(Self.side)" height="\(Self.side)" \
            style="--heat:\(HTMLPage.fixed(share * 60))%"/>\(number)</g>
            """
    }

    /// A number in at most four characters: `950`, `12k`, `3M`.
    static func short(_ count: Int) -> String {
        if count < 1_000 { return "\(count)" }
        if count < 1_000_000 { return "\(count / 1_000)k" }
        return "\(count / 1_000_000)M"
    }
}
