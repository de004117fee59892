import Testing

struct VectorsCommandTests {
    private static func file(expect: String) -> String {
        #"{"kind": "lowercase", "source": "a test", "cases": [{"name": "one", "input": "A", "expect": "\#(expect)"}]}"#
    }

    @Test func agreementEndsWithTheTally() throws {
        try Tool.withFile(Self.file(expect: "a")) { file in
            let run = try Tool.run("vectors", file)
            #expect(run.status == 0)
            #expect(run.output == "1 passed, 0 failed\n")
        }
    }

    @Test func aMismatchNamesFileCaseAndBothAnswers() throws {
        try Tool.withFile(Self.file(expect: "b")) { file in
            let run = try Tool.run("vectors", file)
            #expect(run.status == 1)
            #expect(
                run.output == #"\#(file)[0] "one": expected "b", got "a""# + "\n0 passed, 1 failed\n")
        }
    }

    @Test func aPathWithoutVectorsIsAFailure() throws {
        let run = try Tool.run("vectors", "/no/such/folder")
        #expect(run.status == 1)
        #expect(run.output.hasSuffix("0 passed, 1 failed\n"))
    }
}
