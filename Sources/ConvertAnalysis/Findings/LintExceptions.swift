public import ConvertECMAScript

/// Known findings, which are not reported.
public struct LintExceptions: Sendable {
    /// An ignored kind of findings.
    struct Exception: Sendable {
        let code: LintCode
        /// The place at or under which findings are ignored; `nil` stands for the whole config.
        let place: String?
        /// Whether it has left out a finding.
        fileprivate(set) var isUsed = false
    }

    /// The ignored kinds.
    private var exceptions: [Exception] = []
    /// The indices of the exceptions, by kind.
    private var places: [LintCode: [Int]] = [:]
    /// The number of known findings, by kind and place.
    private var known: [String: Int] = [:]

    /// Creates exceptions that ignore no findings.
    public init() {}

    /// Ignores the findings of a kind. If no finding is of the kind, a note says so.
    ///
    /// - Parameters:
    ///   - code: the kind.
    ///   - place: the path or the place, such as `$.audiences['fans']`, at or under which findings are ignored; `nil`
    ///     stands for the whole config.
    public mutating func ignore(_ code: LintCode, at place: String? = nil) {
        places[code, default: []].append(exceptions.count)
        exceptions.append(Exception(code: code, place: place))
    }

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
            // These are about a report and not about a config.
            if code == LintCode.unusedException.rawValue || code == LintCode.moreFindings.rawValue { continue }
            entries.append(code + " " + place)
        }
        for entry in entries { known[entry, default: 0] += 1 }
        return true
    }

    /// Whether a finding is left out. Uses up one occurrence if the finding is in a baseline.
    mutating func removes(_ finding: LintFinding) -> Bool {
        var isRemoved = false
        for index in places[finding.code] ?? [] {
            let place = exceptions[index].place
            guard place.map({ finding.path.isAt(orUnder: $0) || finding.place.isAt(orUnder: $0) }) ?? true else {
                continue
            }
            exceptions[index].isUsed = true
            isRemoved = true
        }
        let entry = finding.code.rawValue + " " + finding.place
        guard let count = known[entry], count > 0 else { return isRemoved }
        known[entry] = count - 1
        return true
    }

    /// The exceptions that have left out no finding, in order.
    var unused: [Exception] { exceptions.filter { !$0.isUsed && $0.code != .unusedException } }

    /// The findings of baselines that did not occur, each as kind and place.
    var missing: [String] {
        known.filter { $0.value > 0 }.sorted { $0.key < $1.key }.flatMap { Array(repeating: $0.key, count: $0.value) }
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
