public import ConvertECMAScript

/// Known findings, which are not reported.
public struct LintExceptions: Sendable {
    /// The ignored kinds, with the place at which each is ignored; `nil` stands for the whole config.
    private var kinds: [LintCode: [String?]] = [:]
    /// The number of known findings, by kind and place.
    private var known: [String: Int] = [:]

    /// Creates exceptions that ignore no findings.
    public init() {}

    /// Ignores the findings of a kind.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - place: the path or the place, such as `$.audiences['fans']`, at or under which findings are ignored; `nil`
    ///     stands for the whole config.
    public mutating func ignore(_ code: LintCode, at place: String? = nil) { kinds[code, default: []].append(place) }

    /// Ignores the findings of a report, each as often as it occurs there. A finding is identified by its kind and its
    /// place, which contains keys instead of indices.
    ///
    /// - Parameter baseline: the output of `lint --json`.
    /// - Returns: whether `baseline` is such a report. If it is not, nothing changes.
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

    /// Whether a finding is left out. Uses up one occurrence if the finding is in a baseline.
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
    /// Whether this path is `other`, or leads below it.
    func isAt(orUnder other: String) -> Bool {
        guard utf8.starts(with: other.utf8) else { return false }
        let next = utf8.dropFirst(other.utf8.count).first
        return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
    }
}
