internal import ConvertECMAScript
internal import ConvertSwiftSDK
internal import ConvertSwiftSDKCore

/// The environments that the lines of a log name, by the config that decides the lines.
struct LogEnvironments: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        let name: [UInt8]
        let config: Int
        var lines: Int
    }

    /// The maximum number of distinct environments.
    private static let limit = 100

    private var entries: [Entry] = []
    private var last = 0

    /// Counts lines that name an environment. Lines that name no environment are decided in the default one.
    mutating func add(_ name: ByteText, config: Int, lines: Int = 1) {
        if name.isEmpty { return }
        if !has(name, config, at: last) {
            let known = entries.indices.first { has(name, config, at: $0) }
            guard known != nil || entries.count < Self.limit else { return }
            last = known ?? entries.count
            if known == nil { entries.append(Entry(name: Array(name), config: config, lines: 0)) }
        }
        entries[last].lines += lines
    }

    /// Adds the counts of the part that follows.
    mutating func add(_ next: LogEnvironments) {
        for entry in next.entries {
            entry.name.withElements { add($0, config: entry.config, lines: entry.lines) }
        }
    }

    private func has(_ name: ByteText, _ config: Int, at place: Int) -> Bool {
        place < entries.count && entries[place].config == config && entries[place].name.areSame(as: name)
    }

    /// Warnings about the environments, each with the number of its lines.
    func warnings(_ candidates: [DecisionReplay.Candidate]) -> [LogEnvironmentWarning] {
        entries.compactMap { entry in
            let name = String(decoding: entry.name, as: UTF8.self)
            guard let warning = candidates[entry.config].config.warning(ofEnvironment: name) else { return nil }
            return LogEnvironmentWarning(
                environment: name, lines: entry.lines, text: warning.description + warning.nearest.question)
        }
    }
}

/// An environment of lines of a log that their config does not know, or in which nothing runs.
public struct LogEnvironmentWarning: Sendable, Equatable {
    /// The environment.
    public let environment: String
    /// The number of lines in it.
    public let lines: Int
    /// The problem, with the most similar environment if there is one.
    public let text: String
}

extension [LogEnvironmentWarning] {
    /// The warnings as reports have them in JSON.
    var value: JSValue {
        .array(
            map { warning in
                [
                    "environment": .string(warning.environment), "lines": .integer(warning.lines),
                    "text": .string(warning.text),
                ]
            })
    }
}
