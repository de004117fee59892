import ConvertTestSupport
import Foundation
import Testing

struct AssignCommandTests {
    private func assign(_ arguments: String..., input: String) throws -> Tool.Run {
        try Tool.withFile(DecideCommandTests.config) { file in
            try Tool.run(["assign", "--config", file] + arguments, input: input)
        }
    }

    private static let visitors = """
        {"visitorId":"v1","attributes":{"plan":"PRO"}}
        {"visitorId":"v2"}

        """

    @Test func everyLineHasALine() throws {
        let run = try assign(input: Self.visitors)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            run.output == """
                {"visitorId":"v1","decisions":{"checkout":"original"}}
                {"visitorId":"v2","decisions":{"checkout":null}}

                """)
    }

    @Test func reasonsAreToldIfAskedFor() throws {
        let run = try assign("--reasons", "--experience", "checkout", "--threads", "3", input: Self.visitors)
        #expect(run.output.contains(#""reasons":{"checkout":"bucketed"}}"#))
        #expect(run.output.contains(#""reasons":{"checkout":"audienceNotMatched"}}"#))
    }

    @Test func aLineThatIsNoVisitorIsAnsweredInItsPlaceAndCounted() throws {
        let run = try assign(input: #"{"visitorId":"v1"}"# + "\n[]\n" + #"{"visitorId":"v2"}"#)
        #expect(run.status == 1)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].hasPrefix(#"{"error":"$: expected an object"#))
        #expect(
            run.complaints == [
                #"convert-sdk: record 2: $: expected an object such as {"visitorId":"v-1"}."#,
                "convert-sdk: 1 of 3 records are not valid visitors",
            ])
    }

    @Test func aRowForEachDecisionIsPrinted() throws {
        let run = try assign("--long", "--threads", "2", input: Self.visitors)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            run.output == """
                visitorId,experience,variation,reason
                v1,checkout,original,bucketed
                v2,checkout,,audienceNotMatched

                """)
        let assigned = try assign("--long", "--only-assigned", "--no-header", input: Self.visitors)
        #expect(assigned.output == "v1,checkout,original,bucketed\n")
        let json = try assign("-l", "--output-format", "jsonl", input: Self.visitors)
        #expect(
            json.output == """
                {"visitorId":"v1","experience":"checkout","variation":"original","reason":"bucketed"}
                {"visitorId":"v2","experience":"checkout","variation":null,"reason":"audienceNotMatched"}

                """)
    }

    @Test func aColumnForEachExperienceIsPrinted() throws {
        let run = try assign("--output-format", "csv", input: Self.visitors)
        #expect(run.output == "visitorId,checkout\nv1,original\nv2,\n")
        #expect(try assign("--output-format", "csv", input: "").output == "visitorId,checkout\n")
    }

    @Test func aCellIsQuotedWhereCSVNeedsIt() throws {
        let input = #"{"visitorId":"a,\"b\"\nc"}"# + "\n" + #"{"visitorId":" =d;"}"#
        let run = try assign("--long", "--no-header", input: input)
        #expect(
            run.output == "\"a,\"\"b\"\"\nc\",checkout,,audienceNotMatched\n =d;,checkout,,audienceNotMatched\n")
        // What is printed can be read.
        let ids = try assign("--output-format", "csv", input: input).output.replacing("checkout", with: "plan")
        #expect(
            try assign("--format", "csv", "--output-format", "csv", input: ids).output.hasPrefix("visitorId,checkout"))
    }

    @Test(arguments: ["assign", "simulate", "replay", "diff"]) func blankLinesAreSkipped(command: String) throws {
        try Tool.withFile(DecideCommandTests.config) { config in
            let lines = #"{"visitorId":"v1","decisions":{"checkout":null}}"# + "\n \t\r\n\n"
            let visitors = #"{"visitorId":"v1"}"# + "\n \t\r\n\n"
            let run =
                switch command {
                case "assign": try Tool.run("assign", "-c", config, input: visitors)
                case "simulate": try Tool.run("simulate", "-c", config, "--visitors", "-", input: visitors)
                case "replay": try Tool.run("replay", "-c", config, "-", input: lines)
                default: try Tool.run("diff", config, config, "--visitors", "-", input: visitors)
                }
            #expect(run.status == 0 && !run.errors.contains("empty"), "\(run.errors)")
            #expect(command != "assign" || run.output.split(separator: "\n").count == 1)
        }
        // A record's number is that of its line.
        #expect(try assign(input: "\n\n[]\n").errors.contains("record 3: $: expected an object"))
    }

    @Test func storedDecisionsByKeyAreWarnedOf() throws {
        let visitor = #"{"visitorId":"v1","stored":{"bucketing":{"checkout":"original"}}}"#
        let run = try assign(input: visitor + "\n" + visitor)
        #expect(run.status == 0 && run.errors.contains("stored decisions of 2 visitors are ignored"))
        #expect(run.errors.contains("'checkout' is a key"))
    }

    @Test func anExperienceIsNamedByItsIDToo() throws {
        let key = try assign("--experience", "checkout", input: #"{"visitorId":"v1"}"#)
        #expect(try assign("--experience", "9", input: #"{"visitorId":"v1"}"#).output == key.output)
        try Tool.withFile(DecideCommandTests.config) { config in
            let runs = try ["checkout", "9"].map { try Tool.run("decide", "-c", config, "-v", "v1", "-e", $0) }
            #expect(runs[0].status == 0 && runs[0].output == runs[1].output)
        }
    }

    @Test func aRecordThatIsNoVisitorHasNoRow() throws {
        let run = try assign("--long", "--no-header", input: "[]\n" + #"{"visitorId":"v2"}"#)
        #expect(run.status == 1 && run.output == "v2,checkout,,audienceNotMatched\n")
        #expect(run.complaints.last == "convert-sdk: 1 of 2 records are not valid visitors")
        let json = try assign("--long", "--output-format", "jsonl", input: "[]")
        #expect(json.output.hasPrefix(#"{"error":"$: expected an object"#))
    }

    @Test func layoutsThatDoNotGoTogetherAreRefused() throws {
        #expect(try assign("--only-assigned", input: "").errors.contains("--only-assigned goes with --long"))
        #expect(try assign("--no-header", input: "").errors.contains("--no-header goes with --output-format csv"))
        #expect(try assign("--long", "--echo", input: "").errors.contains("--echo and --long exclude each other"))
        #expect(
            try assign("--reasons", "--output-format", "csv", input: "").errors
                .contains("--reasons goes with --output-format jsonl"))
    }

    @Test func csvIsReadFromAFile() throws {
        try Tool.withFile("visitorId,plan\nv1,pro\nv2,\n") { file in
            let run = try assign("--format", "csv", "--input", file, input: "")
            #expect(run.status == 0)
            #expect(
                run.output == """
                    {"visitorId":"v1","decisions":{"checkout":"original"}}
                    {"visitorId":"v2","decisions":{"checkout":null}}

                    """)
        }
    }

    @Test(arguments: [
        "visitorId;plan\nv1;pro\nv2;\n", "visitorId\tplan\nv1\tpro\nv2\t\n", "visitorId,plan\rv1,pro\rv2,\r",
        "visitorId,plan\r\nv1,pro\r\nv2,\r\n", "\u{feff}\"plan\";\"visitorId\"\r\"pro\";\"v1\"\r;v2",
        "visitorId,plan,,\nv1,pro,,\nv2,,,\n",
    ])
    func spreadsheetsAreRead(csv: String) throws {
        let run = try assign("--format", "csv", input: csv)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            run.output == """
                {"visitorId":"v1","decisions":{"checkout":"original"}}
                {"visitorId":"v2","decisions":{"checkout":null}}

                """)
    }

    @Test func anIDThatIsANumberIsTheTextOfIt() throws {
        let run = try assign(input: #"{"visitorId":123}"# + "\n" + #"{"visitorId":1e21,"attributes":{"plan":"pro"}}"#)
        #expect(run.status == 0)
        #expect(
            run.output == """
                {"visitorId":"123","decisions":{"checkout":null}}
                {"visitorId":"1e+21","decisions":{"checkout":"original"}}

                """)
    }

    @Test func badUsageIsReported() throws {
        #expect(try assign("--experience", "chekout", input: "").errors.contains("did you mean 'checkout'?"))
        #expect(try assign("--threads", "0", input: "").errors.contains("not a whole number from 1 to 256"))
        #expect(try assign("--format", "csv", input: "a,b\n").errors.contains("names no column 'visitorId'"))
        #expect(try assign("--input", "/no/such/file", input: "").errors.contains("there is no file"))
        #expect(try Tool.run("assign", "--config", "-", input: "{}").errors.contains("is not a project config"))
        let run = try Tool.withFile("{}") { try Tool.run("assign", "--config", $0, input: Self.visitors) }
        #expect(run.status == 2 && run.output.isEmpty)
    }

    @Test func aFullOutputIsReported() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        try Tool.withFile(DecideCommandTests.config) { config in
            try Tool.withFile(Self.visitors) { visitors in
                let status = try Tool.status("assign", "--config", config, "--input", visitors, standardOutput: full)
                #expect(status == 2)
            }
        }
    }

    @Test func aSignalEndsItAfterWholeLines() async throws {
        try await aside {
            let folder = try TemporaryFolder(["config.json": DecideCommandTests.config])
            let process = Process()
            process.executableURL = BuiltProduct.executable("convert-sdk")
            process.arguments = ["assign", "--config", folder.file("config.json").path]
            let input = Pipe(), output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data((Self.visitors + #"{"visitorId":"v3""#).utf8))
            // The first lines are answered before there are more.
            var answered = ""
            while answered.count(where: { $0 == "\n" }) < 2 {
                let bytes = output.fileHandleForReading.availableData
                try #require(!bytes.isEmpty)
                answered += String(decoding: bytes, as: UTF8.self)
            }
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
            #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
        }
    }

    @Test func assignEndsWhenItsReaderCloses() async throws {
        try await aside {
            let folder = try TemporaryFolder(["config.json": DecideCommandTests.config])
            let process = Process()
            process.executableURL = BuiltProduct.executable("convert-sdk")
            process.arguments = ["assign", "--config", folder.file("config.json").path, "--input", "/dev/stdin"]
            let input = Pipe(), output = Pipe(), errors = Pipe()
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            try output.fileHandleForReading.close()
            try input.fileHandleForWriting.write(contentsOf: Data(Self.visitors.utf8))
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGPIPE)
            #expect(errors.fileHandleForReading.availableData.isEmpty)
        }
    }
}
