import ConvertAnalysis
import ConvertECMAScript
import ConvertSwiftSDK
import ConvertSwiftSDKCore
import Foundation

extension ConfigTest {
    /// Reads the tests of a file: a decision log, or an object whose member `tests` is a list. Tests without an
    /// environment use `environment`.
    static func read(_ path: String, for argument: String, in environment: String?) throws(UsageError) -> [ConfigTest] {
        let json = try InputFile.read(path, for: argument)
        if isLog(json) { return try readLog(json, in: environment, at: "\(argument) '\(path)'") }
        let data = JSONComments.removed(from: json)
        let value: JSValue
        do {
            value = try JSValue(json: data)
        } catch {
            throw UsageError("\(argument) '\(path)' cannot be read: \(error)")
        }
        if let name = Self.repeatedName(in: data) {
            throw UsageError(
                "\(argument) '\(path)': an object has two members '\(name.excerpt(80))'; remove one, since "
                    + "only the last counts")
        }
        guard let list = value.objectValue?["tests"]?.arrayValue else {
            throw UsageError(
                "\(argument) '\(path)': expected an object whose member 'tests' lists visitors with expected answers, "
                    + "or a decision log, a visitor with decisions in each line")
        }
        var tests: [ConfigTest] = []
        for (index, value) in list.enumerated() {
            let place = "\(argument) '\(path)': tests[\(index)]"
            guard let members = value.objectValue else {
                throw UsageError(
                    #"\#(place) is not an object; give for example {"visitorId": "v-1", "decisions": {"KEY": null}}"#)
            }
            tests.append(try ConfigTest(members, index, in: environment, at: place))
        }
        return tests
    }

    /// The first name that occurs twice in one object; `nil` if no name does.
    private static func repeatedName(in json: Data) -> String? {
        let document = json.withElements { try? ECMAScript.parseJSON($0) }
        return document?.withRoot { root in root.descendants.lazy.compactMap { $0.firstRepeatedName?.name }.first }
    }

    /// Whether the first line that is not blank is a visitor for itself.
    private static func isLog(_ json: Data) -> Bool {
        let line = json.withElements { Records(of: $0, .jsonLines).first { !$0.isBlank }.map { Data($0) } }
        guard let line, let members = try? JSValue(json: line).objectValue else { return false }
        return members["tests"] == nil && members["visitorId"] != nil
    }

    /// Reads the lines of a decision log, except those without an answer to compare.
    private static func readLog(_ json: Data, in environment: String?, at place: String) throws(UsageError)
        -> [ConfigTest]
    {
        try json.withElements { bytes throws(UsageError) in
            var tests: [ConfigTest] = []
            for (index, bytes) in Records(of: bytes, .jsonLines).enumerated() where !bytes.isBlank {
                do {
                    var line = try LoggedDecisions(json: bytes)
                    line.environment = line.environment ?? environment
                    let name = "\(line.visitor.visitorID) (line \(index + 1))"
                    if line.comparedCount > 0 { tests.append(ConfigTest(name: name, line)) }
                } catch {
                    throw UsageError("\(place): line \(index + 1): \(error)")
                }
            }
            return tests
        }
    }

    private init(
        _ members: JSObject, _ index: Int, in environment: String?, at place: String
    ) throws(UsageError) {
        let names = ["name"] + LoggedMember.allCases.map(\.rawValue)
        for member in members where !names.contains(where: { PropertyKey($0) == member.key }) {
            let question = UnknownName("member", member.key.name, among: names).question
            throw UsageError("\(place) has the unknown member '\(member.key.name.excerpt(80))'\(question)")
        }
        var rest = members
        rest["name"] = nil
        var line: LoggedDecisions
        do {
            line = try LoggedDecisions(line: Data(ECMAScript.jsonText(keepingNumbersOf: .object(rest)).utf8))
        } catch {
            throw UsageError("\(place): \(error)")
        }
        // Decided as in a request: an experience that excludes visitors of another one sees earlier decisions.
        if members["call"] == nil { line.call.question = .allExperiences }
        line.environment = line.environment ?? environment
        let name = members["name"]?.stringValue ?? "\(line.visitor.visitorID) (\(index))"
        if line.comparedCount == 0 {
            throw UsageError(
                "\(place) compares nothing; give decisions with a variation's key, or null, for each experience to "
                    + "compare, or features as 'assign --features' writes them")
        }
        self.init(name: name, line)
    }
}
