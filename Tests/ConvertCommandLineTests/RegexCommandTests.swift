import ConvertTestSupport
import Foundation
import Testing

struct RegexCommandTests {
    @Test func aMatchIsPrintedWithItsCaptures() throws {
        let run = try Tool.run("regex", #"(?<year>\d{4})-(\d+)(x)?"#, "on 2024-05")
        #expect(run.status == 0)
        #expect(run.output.contains(#"match [3, 10) "2024-05""#))
        #expect(run.output.contains(#"group 2 [8, 10) "05""#))
        #expect(run.output.contains("group 3 took no part"))
        #expect(run.output.contains(#"<year> "2024""#))
    }

    @Test func linesOfStandardInputAreInputs() throws {
        let run = try Tool.run("regex", "^b+$", "-", input: "bb\nab\nb")
        #expect(run.status == 1)
        #expect(run.output.contains(#"match [0, 2) "bb""#))
        #expect(run.output.contains(#"match [0, 1) "b""#))
        #expect(run.output.components(separatedBy: "no match").count == 2)
    }

    @Test func anInputWithoutMatchIsANo() throws {
        let run = try Tool.run("regex", "b+", "a")
        #expect(run.status == 1)
        #expect(run.output.contains("no match"))
    }

    @Test func anInvalidPatternIsANoThatSaysWhatIsWrongAndWhere() throws {
        let run = try Tool.run("regex", "a**")
        #expect(run.status == 1)
        #expect(run.output == "invalid: Invalid regular expression: Nothing to repeat (at code unit 2)\n")
    }

    @Test(arguments: [
        ("a+b", "automaton: "), (#"(a)\1"#, "backtracker: the pattern has a back reference"),
        ("a(?!b)", "automaton: the pattern has no back references; 1 lookaround is decided in one pass"),
    ])
    func theExecutorIsPrintedWithItsReason(pattern: String, reason: String) throws {
        #expect(try Tool.run("regex", pattern).output.contains(reason))
    }

    @Test func aMatchWhoseCapturesTakeTooLongIsAMatchAllTheSame() throws {
        let run = try Tool.run("regex", "(a?){1000000000}", "a")
        #expect(run.status == 0)
        #expect(run.output.contains("match; the search for its position was given up"))
    }

    @Test func flagsAreTakenAndContradictionsAreRefused() throws {
        #expect(try Tool.run("regex", "A", "--flags", "i", "a").status == 0)
        #expect(try Tool.run("regex", "^\\p{Lu}$", "--flags", "u", "É").status == 0)
        #expect(try Tool.run("regex", "A", "--flags", "uv").output.contains("exclude each other"))
    }

    @Test func aLineOfStandardInputThatIsNotUTF8IsRefused() throws {
        let tool = BuiltProduct.executable("convert-sdk").path
        let run = try Tool.run(
            ["-c", #"printf 'axb\na\377b\n' | "$0" regex a.b -"#, tool], of: URL(fileURLWithPath: "/bin/sh"))
        #expect(run.status == 2)
        #expect(run.output.contains("match [0, 3)"))
        #expect(run.errors.contains("line 2 of standard input is not UTF-8"))
    }

    @Test func aLineOfStandardInputThatIsTooLongIsRefused() throws {
        let long = String(repeating: "b", count: (1 << 20) + 1)
        let run = try Tool.run("regex", "^b", "-", input: "b\n\(long)\nb\n")
        #expect(run.status == 2)
        #expect(run.errors.contains("line 2 of standard input is longer than 1048576 bytes"))
    }
}
