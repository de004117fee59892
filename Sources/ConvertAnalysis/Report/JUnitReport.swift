internal import ConvertSwiftSDKCore

/// Results of tests in the XML format of JUnit, which continuous integration systems read.
package struct JUnitReport {
    /// A file of tests.
    package struct Suite {
        let name: String
        package var cases: [(name: String, outcome: ConfigTest.Outcome)] = []

        package init(name: String) { self.name = name }
    }

    private let suites: [Suite]

    package init(_ suites: [Suite]) { self.suites = suites }

    /// The document.
    package var source: String {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"]
        for suite in suites {
            let failures = suite.cases.count { if case .failed = $0.outcome { true } else { false } }
            let skipped = suite.cases.count { if case .unknowable = $0.outcome { true } else { false } }
            lines.append(
                #"<testsuite name="\#(Self.escaped(suite.name))" tests="\#(suite.cases.count)" "#
                    + #"failures="\#(failures)" skipped="\#(skipped)">"#
            )
            for (name, outcome) in suite.cases {
                let start = #"<testcase classname="\#(Self.escaped(suite.name))" name="\#(Self.escaped(name))""#
                switch outcome {
                case .passed: lines.append(start + "/>")
                case .unknowable(let names):
                    let message = Self.escaped("withheld: \(names.joined(separator: ", "))")
                    lines.append(start + #"><skipped message="\#(message)"/></testcase>"#)
                case .failed(let failures):
                    lines.append(start + ">")
                    for failure in failures {
                        let text = failure.explanation.map(\.description).joined(separator: "\n")
                        lines.append(
                            #"<failure message="\#(Self.escaped(failure.message))">\#(Self.escaped(text))</failure>"#)
                    }
                    lines.append("</testcase>")
                }
            }
            lines.append("</testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    /// Escaped text for contents and for attributes in double quotes. Characters that XML does not allow become U+FFFD.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
            default: result.append(markup: scalar)
            }
        }
        return result
    }
}
