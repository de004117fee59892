@testable import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// Defects of every kind, each put into a sound config.
struct SeededDefectsTests {
    struct Defect: Sendable, CustomTestStringConvertible {
        let code: LintCode
        let path: String
        let config: JSObject

        init(_ code: LintCode, _ path: String, _ config: JSObject) {
            self.code = code
            self.path = path
            self.config = config
        }

        var testDescription: String { "\(code.rawValue) at \(path)" }
    }

    static let leafPath = "$.audiences[0].rules.OR[0].AND[0].OR_WHEN[0]"
    static let plan = Configs.leaf("plan", "equals", "pro")

    static func experience(_ changes: JSObject) -> JSObject {
        Configs.config(["experiences": [.object(Configs.experience("checkout", id: "10", changes))]])
    }

    static func variations(_ list: JSObject..., version: JSValue = 10) -> JSObject {
        experience(["variations": .array(list.map { .object($0) }), "version": version])
    }

    static func exclusion(
        of key: String, order: [String] = ["first", "second"], more: [JSValue] = [], keepsOut: Bool = true
    ) -> JSObject {
        let leaf = Configs.leaf("x", "equals", .string(key), negated: keepsOut, type: "bucketed_into_experience_key")
        return Configs.config([
            "audiences": [Configs.audience("5", Configs.rules([([leaf] + more).map { [$0] }]))],
            "experiences": .array(
                order.enumerated().map { index, key in
                    .object(
                        Configs.experience(
                            key, id: "1\(index)", ["audiences": key == "second" ? ["5"] : []]))
                }),
        ])
    }

    static let defects: [Defect] = {
        var defects = references
        defects += truths
        defects += conditions
        defects += arms
        defects += others
        return defects
    }()

    @Test(arguments: defects)
    func theDefectIsFoundWhereItIs(defect: Defect) throws {
        let findings = try ConfigLint().findings(in: Configs.data(defect.config))
        #expect(
            findings.contains { $0.code == defect.code && $0.path == defect.path },
            "\(findings.map { "\($0.code.rawValue) \($0.path)" })")
        for finding in findings { #expect(!finding.message.isEmpty && !finding.remedy.isEmpty) }
    }

    @Test func idsWithHalfASurrogatePairAreFound() throws {
        let json = String(decoding: Configs.data(Configs.config()), as: UTF8.self)
            .replacing(#""id":"101""#, with: #""id":"\ud800""#).replacing(#""id":"102""#, with: #""id":"\udc00""#)
        let findings = try ConfigLint().findings(in: Data(json.utf8))
        let paths = ["$.experiences[0].variations[0].id", "$.experiences[0].variations[1].id"]
        #expect(findings.filter { $0.code == .malformed }.map(\.path) == paths)
        #expect(!findings.contains { $0.code == .duplicateID })
    }

    @Test func anAttributeWithHalfASurrogatePairInItsNameIsMet() throws {
        let json = String(decoding: Configs.data(Configs.audienceConfig(Configs.all(Self.plan))), as: UTF8.self)
            .replacing(#""key":"plan""#, with: #""key":"\ud800""#)
        #expect(try ConfigLint().findings(in: Data(json.utf8)).isEmpty)
    }

    @Test func conditionsThatAreNotAlikeAreNoDuplicates() throws {
        let pairs: [(String, JSValue, String, JSValue)] = [
            ("contains", "a", "startsWith", "a"), ("equals", "a", "equals", "b"), ("less", 5, "lessEqual", 5),
            ("isIn", "a|b", "isIn", "a"), ("less", "x", "less", "X"), ("regexMatches", "a", "regexMatches", "\\x61"),
        ]
        for (first, value, second, other) in pairs {
            let config = Configs.audienceConfig(
                Configs.all(Configs.leaf("plan", first, value), Configs.leaf("plan", second, other)))
            let findings = try ConfigLint().findings(in: Configs.data(config))
            #expect(!findings.contains { $0.code == .duplicateCondition }, "\(first) \(second)")
        }
    }

    /// Suspicions, values that are read otherwise, exceptions and bounds have tests of their own.
    @Test func theTableHasADefectOfEveryOtherKind() {
        let kinds = Set(LintCode.allCases.filter { $0.severity != .suspicious })
        #expect(
            kinds.subtracting([.readOtherwise, .unusedException, .undecided, .moreFindings])
                == Set(Self.defects.map(\.code)))
    }
}
