import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation
import Testing

/// What the reference answered visitors first is what they are assigned.
struct RecordedSessionsTests {
    private static let deciding: Set<String> = ["runExperience", "runExperiences", "runFeature", "runFeatures"]
    private static let plain: Set<String> = ["call", "visitor", "key", "locationProperties", "expect"]

    /// A visitor's first decision, if nothing but properties decided it.
    private struct First {
        let visitor: PopulationVisitor
        let key: String
        let expected: String?
    }

    private static func firsts(of steps: [JSObject]) -> [First] {
        var attributes: [String: JSObject] = [:]
        var touched: Set<String> = []
        var firsts: [First] = []
        for step in steps {
            guard let name = step["visitor"]?.stringValue, let call = step["call"]?.stringValue else { continue }
            if call == "createContext", !touched.contains(name) {
                attributes[name] = step["attributes"]?.objectValue ?? [:]
                continue
            }
            guard touched.insert(name).inserted, call == "runExperience",
                step.allSatisfy({ plain.contains($0.key.name) }), let key = step["key"]?.stringValue
            else { continue }
            let location = step["locationProperties"]?.objectValue
            let visitor = PopulationVisitor(
                visitorID: name, attributes: attributes[name] ?? [:], locationProperties: location)
            if visitor.json.contains("$number") { continue }
            firsts.append(
                First(visitor: visitor, key: key, expected: step["expect"]?.objectValue?["variationKey"]?.stringValue))
        }
        return firsts
    }

    @Test func firstDecisionsOfRecordedSessionsAreAssigned() throws {
        var counts = (some: 0, none: 0)
        for file in ["decisions", "decisions-sessions", "decisions-parity"] {
            let data = try Data(contentsOf: PopulationAssignmentTests.url("decisions/\(file).json"))
            let cases = try #require(JSValue(json: data).objectValue?["cases"]?.arrayValue)
            for case .object(let session) in cases where session["stored"] == nil {
                let sdk = session["sdk"]?.objectValue ?? [:]
                guard sdk["bucketing"] == nil, let document = session["config"],
                    let steps = session["steps"]?.arrayValue?.compactMap(\.objectValue)
                else { continue }
                let config = try ProjectConfig(document)
                let keys = Set(config.experiences.map(\.entityKey.lookUp))
                for first in Self.firsts(of: steps)
                where keys.contains(PropertyKey(first.key)) && !first.visitor.visitorID.isEmpty {
                    var options = PopulationAssignment.Options()
                    options.semantics = .javaScript
                    options.environment = sdk["environment"]?.stringValue ?? "staging"
                    options.experienceKeys = [first.key]
                    let decision = try PopulationAssignment(config, options: options).decisions(for: first.visitor)[0]
                    #expect(
                        decision.decision.variation?.variationKey == first.expected,
                        "\(session["name"] ?? .null): \(first.visitor.json)")
                    if first.expected == nil { counts.none += 1 } else { counts.some += 1 }
                }
            }
        }
        #expect(counts.some > 50 && counts.none > 20, "\(counts)")
    }
}
