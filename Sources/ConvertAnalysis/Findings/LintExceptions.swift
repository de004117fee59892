public import ConvertECMAScript

/// Findings that are known and not to be reported.
public struct LintExceptions: Sendable {
    /// Kinds that are ignored, at a place or everywhere.
    private var kinds: [LintCode: [String?]] = [:]
    /// How often a finding is known, by kind and place.
    private var known: [String: Int] = [:]

    /// No exceptions.
    public init() {}

    /// Ignores findings of a kind.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - place: the path or the place at or under which they are ignored, such as `$.audiences['fans']`; `nil` is the
    ///     whole config.
    public mutating func ignore(_ code: LintCode, at place: String? = nil) { kinds[code, default: []].append(place) }

    /// Ignores the findings of a report, each as often as the report has it. A finding is recognized by its kind and by
    /// its place, which has keys instead of indices.
    ///
    /// - Parameter baseline: what `lint --json` printed.
    /// - Returns: whether it is such a report. If it is not, nothing changes.
    public mutating func ignoreAll(in baseline: JSValue) -> Bool {
        guard let findings = baseline.objectValue?["findings"]?.arrayValue else { return false }
        var entries: [String] = []
        for finding in findings {
            guard let code = finding.objectValue?["code"]?.stringValue,
                let place = (finding.objectValue?["place"] ?? finding.objectValue?["path"])?.stringValue
            else { return false }
            entries.append(code + " " + place)
        }
        for entry in entries { known[entry, default: 0] += 1 }
        return true
    }

    /// Whether a finding is left out. One of a baseline is used up by it.
    mutating func removes(_ finding: LintFinding) -> Bool {
        for place in kinds[finding.code] ?? [] {
            guard let place else { return true }
            if finding.path.isAt(orUnder: place) || finding.place.isAt(orUnder: place) { return true }
        }
        let entry = finding.code.rawValue + " " + finding.place
        guard let count = known[entry], count > 0 else { return false }
        known[entry] = count - 1
        return true
    }
}

extension String {
    /// Whether a path is `other`, or leads on from it.
    func isAt(orUnder other: String) -> Bool {
        guard utf8.starts(with: other.utf8) else { return false }
        let next = utf8.dropFirst(other.utf8.count).first
        return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
    }
}
