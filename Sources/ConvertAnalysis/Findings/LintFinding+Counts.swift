internal import ConvertECMAScript

extension [LintFinding] {
    /// The number of findings of each severity, such as `2 errors, 1 warning`; `nil` without findings.
    package var counts: String? {
        let parts = LintFinding.Severity.allCases.compactMap { severity -> String? in
            let count = self.count { $0.severity == severity }
            return count == 0 ? nil : severity == .suspicious ? "\(count) suspicious" : count.counted(severity.rawValue)
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
