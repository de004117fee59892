internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// Reads the parts of a decision log's lines that the test of sample ratios needs, on one thread (workload `srm`, where
/// parsing a line costs more than its test).
///
/// It reads lines in the form that `assign --echo` and servers write, and skips most values. Other lines are left to
/// ``LoggedDecisions``: lines with escapes or non-ASCII characters, lines that may withhold the attribute, and invalid
/// lines. Lines with the same config, options and call have much in common, which is learned from the first of them
/// after ``LoggedDecisions`` has read it.
struct PlainLogReader {
    /// The common parts of lines with the same config, options and call.
    private struct Origin {
        let config: [UInt8]
        let options: [UInt8]
        let call: [UInt8]
        let number: Int
        let table: LogAllocations.Table
        let isForced: Bool
        let asksForFeatures: Bool
        let byID: Bool
        var experiences: [Experience] = []
        /// The decisions behind answers about features.
        var answers: [(features: [UInt8], told: [CarriedFeatures.Told])] = []
    }

    /// An experience with its name in lines.
    private struct Experience {
        let name: [UInt8]
        let allocation: LogAllocations.Reference?
        let id: [UInt8]
        /// The config's variations.
        let variations: [PropertyKey: LogAllocations.Arm]
        /// The variations by their names in lines; `arm` is `nil` for a variation that the config does not contain.
        var arms: [(name: [UInt8], arm: LogAllocations.Arm?)] = []
        /// The last line with the experience.
        var line = 0
    }

    private static let originLimit = 16
    private static let nameLimit = 1_000
    private static let answerLimit = 100

    private let attribute: [UInt8]?
    /// Whether the attribute is a path into objects, which is left to ``LoggedDecisions``.
    private let isPath: Bool
    private var origins: [Origin] = []
    private var scan = LogLineScan()
    private var lineCount = 0

    /// Creates a reader for a test that separates visitors by `attribute`, if there is one.
    init(attribute: String?) {
        self.attribute = attribute.map { Array($0.utf8) }
        isPath = attribute?.contains(".") ?? false
    }

    /// Appends the contents of `line` to `part`. Returns `false` if the line is left to ``LoggedDecisions``.
    mutating func read(_ line: ByteText, into part: inout LogRatioPart) -> Bool {
        guard !isPath, scan.read(line, attribute: attribute), let found = originOfScan,
            scan.hasDecisions || origins[found].asksForFeatures
        else { return false }
        lineCount += 1
        for index in scan.decisions.indices where !append(decision: index, of: found, to: &part) {
            part.dropLine()
            return false
        }
        if origins[found].asksForFeatures, !scan.features.isEmpty {
            guard let told = told(of: found) else {
                part.dropLine()
                return false
            }
            for decision in told { part.append(decision) { scan.isStored(Array($0.name.utf8)) } }
        }
        part.environments.add(scan.environment, config: origins[found].number)
        if scan.segment != nil { part.attributeCount += 1 }
        part.endLine(
            scan.visitorID, hasPseudonym: scan.hasBuckets, config: origins[found].number, time: scan.time,
            segment: attribute == nil ? "" : LogRatioPart.segment(scan.segment))
        return true
    }

    /// The decisions behind the line's answer about features; `nil` if the answer cannot be read.
    private mutating func told(of origin: Int) -> [CarriedFeatures.Told]? {
        if let known = origins[origin].answers.first(where: { $0.features.areSame(as: scan.features) }) {
            return known.told
        }
        guard let document = try? ECMAScript.parseJSON(scan.features),
            let features = document.withRoot({ $0.value.objectValue })
        else { return nil }
        let told = origins[origin].table.carried?.decisions(in: features) ?? []
        if origins[origin].answers.count < Self.answerLimit {
            origins[origin].answers.append((Array(scan.features), told))
        }
        return told
    }

    private mutating func append(decision index: Int, of origin: Int, to part: inout LogRatioPart) -> Bool {
        let decision = scan.decisions[index]
        guard let place = place(of: decision.name, at: index, of: origin) else { return false }
        let allocation = origins[origin].experiences[place].allocation
        guard let name = decision.value else {
            let reason = scan.hasReasons ? scan.reasons[index].value : nil
            part.append(reason.map { .init(withoutVariationBecause: $0) } ?? .none, of: allocation)
            return true
        }
        let outcome = LogRatioPart.Outcome(
            isForced: origins[origin].isForced, source: source(at: index),
            isStored: scan.isStored(origins[origin].experiences[place].id))
        part.append(outcome, arm(named: name, of: place, of: origin), of: allocation)
        return true
    }

    /// The source of a decision's variation; `nil` if the line has none.
    private func source(at index: Int) -> BucketedVariation.Source? {
        guard scan.hasReasons, let reason = scan.reasons[index].value else { return nil }
        if reason.hasBytes(of: "bucketed") { return .bucketed }
        return reason.hasBytes(of: "preview") ? .preview : reason.hasBytes(of: "forced") ? .forced : .stored
    }

    /// Learns the common parts of lines from `logged`, which ``LoggedDecisions`` read from the last line.
    mutating func learn(_ logged: LoggedDecisions, _ number: Int, _ table: LogAllocations.Table) {
        guard scan.isWhole, origins.count < Self.originLimit, originOfScan == nil else { return }
        origins.append(
            Origin(
                config: Array(scan.config), options: Array(scan.options), call: Array(scan.call), number: number,
                table: table, isForced: logged.call.isForced,
                asksForFeatures: logged.call.asksForFeatures,
                byID: logged.call.question == .experienceID))
    }

    private var originOfScan: Int? {
        origins.firstIndex { origin in
            origin.config.areSame(as: scan.config) && origin.call.areSame(as: scan.call)
                && origin.options.areSame(as: scan.options)
        }
    }

    /// The index of an experience among an origin's experiences; `nil` if the line already contains it, or if there are
    /// too many.
    private mutating func place(of name: ByteText, at likely: Int, of origin: Int) -> Int? {
        var place = likely
        // Most lines have the same experiences in the same order.
        if likely >= origins[origin].experiences.count || !origins[origin].experiences[likely].name.areSame(as: name) {
            if let known = origins[origin].experiences.firstIndex(where: { $0.name.areSame(as: name) }) {
                place = known
            } else {
                place = origins[origin].experiences.count
                guard place < Self.nameLimit else { return nil }
                let key = PropertyKey(String(decoding: name, as: UTF8.self))
                let table = origins[origin].table
                let allocation = origins[origin].byID ? table.byID[key] : table.byKey[key]
                origins[origin].experiences.append(
                    Experience(
                        name: Array(name), allocation: allocation?.reference,
                        id: Array(allocation?.experienceID.text.utf8 ?? "".utf8),
                        variations: allocation?.arms ?? [:]))
            }
        }
        guard origins[origin].experiences[place].line != lineCount else { return nil }
        origins[origin].experiences[place].line = lineCount
        return place
    }

    private mutating func arm(named name: ByteText, of place: Int, of origin: Int) -> LogAllocations.Arm? {
        let arms = origins[origin].experiences[place].arms
        if let known = arms.firstIndex(where: { $0.name.areSame(as: name) }) { return arms[known].arm }
        let key = PropertyKey(String(decoding: name, as: UTF8.self))
        let arm = origins[origin].experiences[place].variations[key]
        if arms.count < Self.nameLimit { origins[origin].experiences[place].arms.append((Array(name), arm)) }
        return arm
    }
}
