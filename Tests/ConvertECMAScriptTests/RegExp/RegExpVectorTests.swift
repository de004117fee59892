import ConvertECMAScript
import Foundation
import Testing

/// Replays what JavaScript engines answered. Each file says which engine it was.
struct RegExpVectorTests {
    static let files = [
        "regex-canonicalize", "regex-classes", "regex-es2025", "regex-fuzz", "regex-realistic", "regex-redos",
        "regex-test262",
    ]

    @Test(arguments: files)
    func answersAsRecorded(file: String) throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../../TestVectors/regex").standardized
        let data = try Data(contentsOf: folder.appending(path: file + ".json"))
        let cases = try JSONDecoder().decode(RegExpVectorFile.self, from: data).cases
        #expect(!cases.isEmpty)
        for (index, vector) in cases.enumerated() {
            if let mismatch = vector.mismatch() {
                Issue.record("\(file) \(index): /\(vector.pattern)/ on \(vector.input.debugDescription): \(mismatch)")
            }
        }
    }
}

struct RegExpVectorFile: Decodable {
    var cases: [RegExpVector]
}

struct RegExpVector: Decodable {
    enum Expectation: Decodable, Equatable {
        case matches(Bool)
        case syntaxError

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode(Bool.self)).map(Self.matches) ?? .syntaxError
        }
    }

    enum Capture: Decodable {
        case text(String)
        case range([Int])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .range(try container.decode([Int].self))
            }
        }
    }

    var pattern: String
    var flags: String?
    var input: String
    var expect: Expectation
    var match: [Int]?
    var captures: [Capture?]?
    var mayGiveUp: Bool?

    /// What differs from the recorded answer, if anything does.
    func mismatch() -> String? {
        let expression: RegExp
        do {
            expression = try RegExp(pattern, flags: flags ?? "i")
        } catch {
            return expect == .syntaxError ? nil : "\(error)"
        }
        guard case .matches(let expected) = expect else { return "accepted" }
        do {
            let tested = try expression.test(input)
            if tested != expected { return "test gave \(tested)" }
        } catch {
            return mayGiveUp == true ? nil : "test: \(error)"
        }
        do {
            guard let found = try expression.exec(input) else { return expected ? "exec found nothing" : nil }
            return mismatch(found)
        } catch {
            return mayGiveUp == true ? nil : "exec: \(error)"
        }
    }

    private func mismatch(_ found: RegExp.Match) -> String? {
        if let match, [found.range.lowerBound, found.range.upperBound] != match { return "exec found \(found.range)" }
        for (index, capture) in (captures ?? []).enumerated() {
            let range = found.range(of: index + 1)
            switch capture {
            case nil where range == nil: continue
            case .range(let bounds) where range == bounds[0]..<bounds[1]: continue
            case .text(let text) where found[index + 1].map { Array($0.utf16) } == Array(text.utf16): continue
            default: return "group \(index + 1) is \(range.map { "\($0)" } ?? "unset")"
            }
        }
        return nil
    }
}
