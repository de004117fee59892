internal import ConvertECMAScript

extension [LintFinding] {
    /// How many there are of each severity, such as `2 errors, 1 warning`; `nil` if there are none.
    package var counts: String? {
        let parts = LintFinding.Severity.allCases.compactMap { severity -> String? in
            let count = self.count { $0.severity == severity }
            return count == 0 ? nil : severity == .suspicious ? "\(count) suspicious" : count.counted(severity.rawValue)
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
