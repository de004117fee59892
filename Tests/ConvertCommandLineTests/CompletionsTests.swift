import ConvertTestSupport
import Foundation
import Testing

@testable import convert_sdk

struct CompletionsTests {
    private static let config = """
        {"account_id": "1", "project": {"id": "2"}, "features": [{"id": "5", "key": "flow"}], "experiences": [
        {"id": "9", "key": "checkout", "environment": "live",
        "variations": [{"id": "91", "key": "green"}, {"id": "92"}]},
        {"id": "8", "key": "cart", "variations": []}]}
        """

    /// What is offered for the last word, without the meanings.
    private func candidates(_ words: String...) -> [String] {
        Completer(words: words).lines.map { String($0.source.prefix { $0 != "\t" }) }
    }

    @Test func commandsAreOfferedFirst() {
        #expect(candidates("de") == ["decide"])
        #expect(candidates("").contains("vectors"))
        #expect(candidates("help", "re") == ["replay", "regex"])
        #expect(candidates("nonsense", "").isEmpty)
    }

    @Test func optionsTheirValuesAndFilesAreOfferedWhereTheyGo() {
        #expect(candidates("decide", "--sem") == ["--semantics"])
        #expect(Set(candidates("decide", "--semantics", "")) == ["javaScript", "standard", "flat"])
        #expect(candidates("decide", "--semantics", "ja") == ["javaScript"])
        #expect(candidates("decide", "--semantics=ja") == ["--semantics=javaScript"])
        #expect(candidates("decide", "-s", "ja") == ["javaScript"])
        #expect(candidates("decide", "-xjs", "ja") == ["javaScript"])
        #expect(candidates("decide", "--config", "") == [":files"])
        #expect(candidates("decide", "--visitor", "").isEmpty)
        #expect(candidates("decide", "").isEmpty)
        #expect(candidates("vectors", "") == [":files"])
        #expect(candidates("vectors", "--", "-") == [":files"])
        #expect(candidates("completions", "f") == ["fish"])
    }

    @Test func namesComeOutOfTheConfigThatTheLineNames() throws {
        try Tool.withFile(Self.config) { file in
            #expect(candidates("decide", "--config", file, "--experience", "c") == ["checkout", "cart"])
            #expect(candidates("decide", "-c", file, "-e", "ch") == ["checkout"])
            #expect(candidates("decide", "--config=\(file)", "--experience=ch") == ["--experience=checkout"])
            #expect(candidates("decide", "-c", file, "--force", "") == ["checkout=green", "checkout=92"])
            #expect(candidates("decide", "-c", file, "--preview", "") == ["checkout.green", "checkout.92"])
            #expect(candidates("decide", "-c", file, "--environment", "") == ["live"])
            #expect(candidates("features", "-c", file, "--feature", "") == ["flow"])
        }
        #expect(candidates("decide", "-c", "/no/such/file", "-e", "").isEmpty)
        #expect(candidates("decide", "-e", "").isEmpty)
    }

    @Test func aPipeIsNotReadForNames() {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: pipe) }
        #expect(candidates("decide", "-c", pipe, "-e", "").isEmpty)
    }

    /// What bash offers for a line whose last word is being typed.
    private func bash(_ line: [String]) throws -> [String] {
        let tool = BuiltProduct.executable("convert-sdk").path
        let words = ([tool] + line).map { "'\($0)'" }.joined(separator: " ")
        let script = """
            source <("$0" completions bash)
            COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
            _convert_sdk
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let run = try Tool.run(["-c", script, tool], of: URL(fileURLWithPath: "/bin/bash"))
        #expect(run.status == 0 && run.errors.isEmpty)
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func bashOffersWhatTheToolDoes() throws {
        #expect(try bash(["de"]) == ["decide"])
        #expect(try bash(["decide", "--ex"]) == ["--experience", "--explain"])
        // Bash makes words end at equals signs.
        #expect(try bash(["decide", "--semantics", "=", "ja"]) == ["javaScript"])
        let names = try bash(["decide", "--semantics", "="])
        #expect(names.contains("standard"))
        try Tool.withFile(Self.config) { file in
            let start = String(file.dropLast(3))
            let lines = [
                ["decide", "-c", file, "--force", "checkout", "=", "g"], ["decide", "--config", start],
                ["decide", "--config", "=", start],
            ]
            let offered = try lines.map(bash)
            #expect(offered == [["green"], [file], [file]])
        }
    }

    @Test(
        .enabled(if: Shell.zsh != nil || Shell.fish != nil, "no other shell is here"),
        arguments: [Shell.zsh, Shell.fish].compactMap(\.self))
    func otherShellsUnderstandTheirScripts(shell: Shell) throws {
        let script = try Tool.run("completions", shell.name)
        #expect(script.status == 0)
        try Tool.withFile(script.output) { file in
            let run = try Tool.run([shell.checking, file], of: shell.executable)
            #expect(run.status == 0 && run.errors.isEmpty)
        }
    }

    @Test(.enabled(if: Shell.fish != nil, "fish is not here")) func fishOffersWhatTheToolDoes() throws {
        let shell = try #require(Shell.fish)
        let tool = BuiltProduct.executable("convert-sdk")
        try Tool.withFile(Self.config) { file in
            let script = """
                set -x PATH \(tool.deletingLastPathComponent().path) $PATH
                convert-sdk completions fish | source
                complete -C 'convert-sdk de'
                complete -C 'convert-sdk decide -c \(file) --experience ch'
                """
            let run = try Tool.run(["-c", script], of: shell.executable)
            let offered = run.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            #expect(offered == ["decide", "checkout"])
        }
    }
}

/// A shell that a machine may have.
struct Shell: Sendable, CustomTestStringConvertible {
    static let zsh = Shell("zsh", checking: "-n")
    static let fish = Shell("fish", checking: "--no-execute")

    let name: String
    /// The option that has it check a script's syntax.
    let checking: String
    let executable: URL

    var testDescription: String { name }

    private init?(_ name: String, checking: String) {
        let places = ["/bin/", "/usr/bin/", "/usr/local/bin/"].map { URL(fileURLWithPath: $0 + name) }
        guard let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            return nil
        }
        self.name = name
        self.checking = checking
        executable = place
    }
}
