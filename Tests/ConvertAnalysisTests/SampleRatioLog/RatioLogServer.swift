@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertTestSupport
import Foundation

/// A server that stores the variations of its visitors and writes a line for each visit.
struct RatioLogServer {
    /// A config whose variations carry a feature: `a` and `old` with the same variables, `b` with others.
    static func config(_ first: Int, _ second: Int, version: Int = 12) -> Data {
        func variation(_ id: String, _ key: String, _ share: Int, _ size: String) -> JSValue {
            let data: JSValue = ["feature_id": "7", "variables_data": ["size": .string(size)]]
            let changes: JSValue = [["id": .string(size), "type": "fullStackFeature", "data": data]]
            return .object(Configs.variation(id, key, .integer(share), ["changes": changes]))
        }
        let experience = Configs.experience(
            "checkout", id: "10",
            [
                "version": .integer(version),
                "variations": [
                    variation("1", "a", first, "1"), variation("2", "b", second, "2"), variation("3", "old", 0, "1"),
                ],
            ])
        return Configs.data(
            Configs.config([
                "features": [["id": "7", "key": "g", "variables": [["key": "size", "type": "integer"]]]],
                "experiences": [.object(experience)],
            ]))
    }

    /// What a line says.
    enum Content: CaseIterable {
        case decision, decisionAndReason, feature
    }

    private(set) var lines: [String] = []
    private var stored: [Int: (id: String, key: String)] = [:]
    private var day = 0

    /// Decides for visitors on the next day.
    ///
    /// - Parameters:
    ///   - isSameDay: whether the day is still that of the visitors before.
    ///   - isEligible: whether a visitor meets the entry conditions.
    ///   - isLost: whether the line of a visitor with this variation is lost.
    mutating func decide(
        _ visitors: Range<Int>, by config: Data, _ content: Content = .decision, isSameDay: Bool = false,
        isEligible: (Int) -> Bool = { _ in true },
        isLost: (_ number: Int, _ key: String, _ isStored: Bool) -> Bool = { _, _, _ in false }
    ) throws {
        let candidate = try DecisionReplay.Candidate(json: config)
        let manager = ExperienceManager(project: Project(candidate.config))
        if !isSameDay { day += 1 }
        for number in visitors {
            let before = stored[number]
            var visitor = manager.visitor(id: "v\(number)")
            if before == nil, isEligible(number),
                let found = manager.selectVariation("checkout", for: &visitor).value.variation
            {
                stored[number] = (found.variationID, found.variationKey ?? "")
            }
            let key = isEligible(number) ? stored[number]?.key : nil
            if let key, isLost(number, key, before != nil) { continue }
            var members = [
                #""time":"2026-11-0\#(day)T10:00:00Z""#, #""visitorId":"v\#(number)""#,
                #""config":"\#(candidate.revision ?? "")""#,
            ]
            if let before { members.append(#""stored":{"bucketing":{"10":"\#(before.id)"}}"#) }
            if content == .feature {
                let entry = #"[{"experience":"checkout","variables":{"size":\#(key == "b" ? 2 : 1)}}]"#
                members += [#""call":{"feature":"g"}"#, #""features":{"g":\#(key == nil ? "null" : entry)}"#]
            } else {
                members.append(#""decisions":{"checkout":\#(key.map { "\"\($0)\"" } ?? "null")}"#)
            }
            if content == .decisionAndReason {
                let source = before == nil ? "bucketed" : "stored"
                let reason = key != nil ? source : isEligible(number) ? "notBucketed" : "locationNotMatched"
                members.append(#""reasons":{"checkout":"\#(reason)"}"#)
            }
            lines.append("{" + members.joined(separator: ",") + "}")
        }
    }

    /// Removes all lines so far, as the rotation of a log does.
    mutating func rotate() { lines = [] }

    /// The report of the log.
    func report(_ configs: Data...) throws -> SampleRatioLogReport {
        let test = SampleRatioLog(try configs.map { try DecisionReplay.Candidate(json: $0) })
        return try test.run(threads: 2, read: InputInPieces(lines.joined(separator: "\n").utf8).read)
    }
}
