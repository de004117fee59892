extension SimulationReport.Overlaps {
    /// The maximum number of rows and of columns on the page.
    private static let mostOnPage = 30

    var html: HTML {
        let places = experiences.indices.prefix(Self.mostOnPage)
        let table = HTMLPage.table(
            "Visitors in two experiences; a cell's tint is the part of the row's visitors",
            ["Experience"] + places.map { experiences[$0] },
            places.map { row in
                [.text(experiences[row])]
                    + places.map { column in
                        let count = visitors[row][column]
                        return .heat(
                            HTMLPage.grouped(count), Double(count), Double(count) / Double(max(1, visitors[row][row])))
                    }
            })
        let map = OverlapMap(places.map { experiences[$0] }, places.map { row in places.map { visitors[row][$0] } })
        let rest = experiences.count - places.count
        let more: HTML = rest > 0 ? "<p>\(rest) more experiences are in the JSON.</p>" : ""
        return "\(map.html)<details><summary>The same as a table</summary>\(table)</details>\(more)"
    }
}
