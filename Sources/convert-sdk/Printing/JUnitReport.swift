import ConvertSwiftSDKCore

/// Results of tests in the XML that JUnit writes and continuous integration reads.
struct JUnitReport {
    /// A file of tests.
    struct Suite {
        let name: String
        var cases: [(name: String, failures: [ConfigTest.Failure])] = []
    }

    let suites: [Suite]

    /// The document.
    var source: String {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"]
        for suite in suites {
            let failures = suite.cases.count { !$0.failures.isEmpty }
            lines.append(
                #"<testsuite name="\#(Self.escaped(suite.name))" tests="\#(suite.cases.count)" "#
                    + #"failures="\#(failures)">"#
            )
            for (name, failures) in suite.cases {
                let start = #"<testcase classname="\#(Self.escaped(suite.name))" name="\#(Self.escaped(name))""#
                guard !failures.isEmpty else {
                    lines.append(start + "/>")
                    continue
                }
                lines.append(start + ">")
                for failure in failures {
                    let text = failure.explanation.map(\.description).joined(separator: "\n")
                    lines.append(
                        #"<failure message="\#(Self.escaped(failure.message))">\#(Self.escaped(text))</failure>"#)
                }
                lines.append("</testcase>")
            }
            lines.append("</testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    /// Text for contents and for attributes in double quotes. Characters that XML cannot have become U+FFFD.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
