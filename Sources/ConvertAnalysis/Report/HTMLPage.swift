/// A report as one HTML document that needs no network and can be read without scripts.
struct HTMLPage {
    let title: String
    /// The subject of the page, in one sentence.
    let summary: String
    let sections: [Section]
    var provenance = PageProvenance()

    /// A part of the page under a heading.
    struct Section {
        let id: String
        let title: String
        let contents: HTML
    }

    /// The document.
    var source: String {
        let contents = HTML(sections.map { ##"<li><a href="#\##($0.id)">\##($0.title)</a></li>"## })
        let body = HTML(
            sections.map { section in
                """
                <section id="\(section.id)" aria-labelledby="\(section.id)-title">
                <h2 id="\(section.id)-title">\(section.title)</h2>
                \(section.contents)
                </section>
                """
            })
        let page: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <header><h1>\(title)</h1><p>\(summary)</p>
            \(provenance.html)
            <nav aria-label="Contents"><ul>
            \(contents)
            </ul></nav></header>
            <main>
            \(body)
            </main>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
        return page.source
    }

    /// The maximum number of columns that fit a phone. On a phone, the rows of a wider table are stacked.
    private static let narrowColumns = 3

    /// A table whose first column contains the heads of its rows.
    ///
    /// On a phone, a row with many columns becomes a list of its cells, each after the name of its column, so that no
    /// cell is out of sight. A table with tinted cells stays a grid, because its picture matters.
    static func table(_ caption: String, _ columns: [String], _ rows: [[Cell]]) -> HTML {
        let isGrid = rows.contains { $0.contains(where: \.isTinted) }
        let isStacked = !isGrid && columns.count > narrowColumns
        let heads = HTML(
            columns.enumerated().map { index, name in
                let isNumber = rows.first.map { index < $0.count && $0[index].isNumber } ?? false
                return isNumber ? #"<th scope="col" class="number">\#(name)</th>"# : #"<th scope="col">\#(name)</th>"#
            })
        let body = HTML(
            rows.map { row in
                let cells = HTML(
                    row.enumerated().map { index, cell in
                        if index == 0 { return cell.head }
                        return cell.html(isStacked && index < columns.count ? columns[index] : nil)
                    })
                return "<tr>\(cells)</tr>"
            })
        return """
            <div class="scroll\(isStacked ? " stack" : isGrid ? " grid" : "")" role="region" \
            aria-label="\(caption)" tabindex="0"><table>
            <caption>\(caption)</caption>
            <thead><tr>\(heads)</tr></thead>
            <tbody>
            \(body)
            </tbody>
            </table></div>
            """
    }

    /// A cell of a table.
    enum Cell {
        case text(String)
        /// A number, with its text and its sort value.
        case number(String, Double)
        /// A number as in ``number(_:_:)``, tinted by a share from 0 to 1.
        case heat(String, Double, Double)
        /// A text that is sorted by its rank.
        case grade(String, rank: Int, isBad: Bool)
        /// A text that links to an element of the page.
        case link(String, to: String)
        /// A text that says whether something is wrong.
        case verdict(String, isBad: Bool)

        /// A count.
        static func count(_ count: Int) -> Cell { .number(HTMLPage.grouped(count), Double(count)) }

        fileprivate var isNumber: Bool {
            switch self {
            case .number, .heat: true
            case .text, .grade, .link, .verdict: false
            }
        }

        fileprivate var isTinted: Bool { if case .heat = self { true } else { false } }

        /// The cell. `column` is the name of its column, if a phone shows it next to the cell.
        fileprivate func html(_ column: String?) -> HTML {
            let label: HTML = column.map { #" data-label="\#($0)""# } ?? ""
            return switch self {
            case .text(let text): "<td\(label)>\(text)</td>"
            case .number(let text, let value):
                #"<td class="number"\#(label) data-value="\#("\(value)")">\#(text)</td>"#
            case .heat(let text, let value, let share):
                """
                <td class="number heat" style="--heat:\(HTMLPage.fixed(share * 60))%" \
                data-value="\("\(value)")">\(text)</td>
                """
            case .grade(let text, let rank, let isBad):
                #"<td class="verdict\#(isBad ? " bad" : "")"\#(label) data-value="\#(rank)">\#(text)</td>"#
            case .link: "<td\(label)>\(anchor)</td>"
            case .verdict(let text, let isBad):
                #"<td class="verdict \#(isBad ? "bad" : "good")"\#(label) data-value="\#(isBad ? 1 : 0)">\#(text)</td>"#
            }
        }

        fileprivate var head: HTML {
            switch self {
            case .text(let text): #"<th scope="row">\#(text)</th>"#
            case .link: #"<th scope="row">\#(anchor)</th>"#
            case .number, .heat, .grade, .verdict: html(nil)
            }
        }

        private var anchor: HTML {
            if case .link(let text, let id) = self { ##"<a href="#\##(id)">\##(text)</a>"## } else { "" }
        }
    }

    /// A bar of named parts of a whole. The rest of the bar is empty.
    static func bar(_ label: String, _ parts: [(name: String, share: Double)]) -> HTML {
        let spoken = parts.map { "\($0.name) \(percent($0.share))" }.joined(separator: ", ")
        let pieces = HTML(
            parts.enumerated().filter { $0.element.share > 0 }.map { index, part in
                """
                <span class="part p\(index % 6)" style="width:\(fixed(part.share * 100))%" title="\(part.name)">\
                <span>\(part.name) \(percent(part.share))</span></span>
                """
            })
        return #"<div class="bar" role="img" aria-label="\#(label): \#(spoken)">\#(pieces)</div>"#
    }

    /// A share as a percentage with two decimals.
    static func percent(_ share: Double) -> String { fixed(share * 100) + " %" }

    /// A number with two decimals.
    static func fixed(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
        let hundredths = Int((abs(number) * 100).rounded())
        let decimals = hundredths % 100
        let sign = number < 0 && hundredths > 0 ? "-" : ""
        return "\(sign)\(grouped(hundredths / 100)).\(decimals < 10 ? "0" : "")\(decimals)"
    }

    /// A probability with four decimals, or an upper bound if it is too small.
    static func probability(_ p: Double) -> String {
        if p > 0, p < 0.0001 { return "< 0.0001" }
        let decimals = String(Int((p * 10_000).rounded()) % 10_000)
        return "\(Int((p * 10_000).rounded()) / 10_000).\(String(repeating: "0", count: 4 - decimals.count))\(decimals)"
    }

    /// A probability as an equation: `p = 0.0300`, or `p < 0.0001`.
    static func statement(ofProbability p: Double) -> String {
        let text = probability(p)
        return text.hasPrefix("<") ? "p \(text)" : "p = \(text)"
    }

    /// A number with separated thousands and a noun, such as `1 event` and `2,000 events`.
    static func counted(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A number that is not negative, with separated thousands.
    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
