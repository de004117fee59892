import ConvertConcurrency
import ConvertTestSupport
import Foundation
import Testing

@testable import ConvertTransport

@Suite(.timeLimit(.minutes(10)))
struct RemoteDocumentTests {
    private struct Refused: Error {}

    private let folder: TemporaryFolder
    private let adopted = Log<String>()
    private let ends = Log<Bool>()
    private let request = HTTPRequest(url: URL(fileURLWithPath: "/"), maximumResponseLength: 1000)

    init() throws { folder = try TemporaryFolder() }

    private var copy: DocumentCopy { DocumentCopy(file: folder.file("copy"), identity: "mine") }

    private func document(_ transport: any HTTPTransport, isKept: Bool = true) -> RemoteDocument {
        RemoteDocument(
            .endpoint { [request] in request }, copy: isKept ? copy : nil, transport: transport, time: SystemTime(),
            whenAbandoned: .isCancelled,
            consumer: RemoteDocument.Consumer(
                adopt: { [adopted] data in
                    let text = String(decoding: data, as: UTF8.self)
                    if text == "bad" { throw Refused() }
                    adopted.append(text)
                },
                fetchEnded: { [ends] result in ends.append((try? result.get()) != nil) }))
    }

    private func answer(_ text: String, _ etag: String) -> Result<HTTPResponse, ScriptedTransport.Unreachable> {
        .status(200, Data(text.utf8), headers: ["ETag": etag])
    }

    private func etags(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.headers["If-None-Match"] }
    }

    @Test func validatorsComeWithWhatWasAdoptedOnly() async throws {
        let transport = ScriptedTransport(answer("a", "1"), answer("bad", "2"), .status(304), answer("b", "3"))
        let document = document(transport)
        #expect(try await document.fetch() == .replaced)
        await #expect(throws: Refused.self) { try await document.fetch() }
        #expect(try copy.read(limit: 100)?.validators.etag == "1")
        #expect(try await document.fetch() == .unchanged)
        #expect(try await document.fetch() == .replaced)
        #expect(etags(transport) == [nil, "1", "1", "1"])
        #expect(adopted.entries == ["a", "b"] && ends.entries == [true, false, true, true])
        #expect(try copy.read(limit: 100)?.document == Data("b".utf8))
    }

    @Test func a304OfAnotherDocumentFetchesItWhole() async throws {
        let other = Result<HTTPResponse, ScriptedTransport.Unreachable>.status(304, headers: ["ETag": "2"])
        let transport = ScriptedTransport(answer("a", "1"), other, answer("b", "2"), other, .status(304))
        let document = document(transport)
        #expect(try await document.fetch() == .replaced)
        #expect(try await document.fetch() == .replaced)
        #expect(adopted.entries == ["a", "b"] && etags(transport) == [nil, "1", nil])
        #expect(try copy.read(limit: 100)?.validators.etag == "2")
        // The validators stay those of the second document.
        #expect(try await document.fetch() == .unchanged)
    }

    @Test func aTagThatADocumentDidNotComeWithIsNotTakenForIts() async throws {
        // The document changed within the second that its date tells, and from then on the server gives tags.
        let transport = ScriptedTransport(
            .status(200, Data("a".utf8), headers: ["Last-Modified": "then"]),
            .status(304, headers: ["ETag": "2", "Last-Modified": "then"]), answer("b", "2"), .status(304))
        let document = document(transport)
        #expect(try await document.fetch() == .replaced)
        #expect(try await document.fetch() == .replaced)
        #expect(try await document.fetch() == .unchanged)
        #expect(adopted.entries == ["a", "b"] && etags(transport) == [nil, nil, nil, "2"])
        #expect(try copy.read(limit: 100)?.document == Data("b".utf8))
    }

    @Test func anEndpointThatSays304ToEverythingIsAFailure() async throws {
        let transport = ScriptedTransport(answer("a", "1"), .status(304, headers: ["ETag": "2"]))
        let document = document(transport)
        _ = try await document.fetch()
        await #expect(throws: RemoteDocumentError(status: 304)) { try await document.fetch() }
        #expect(try copy.read(limit: 100)?.validators.etag == "1")
        await #expect(throws: RemoteDocumentError.self) { try await document.fetch() }
        #expect(etags(transport) == [nil, "1", nil, "1", nil], "what was kept still asks with its own tag")
    }

    @Test func theCopyServesOnceAndTellsWhatToAskWith() async throws {
        try copy.write(Data("kept".utf8), validators: HTTPValidators(etag: "1"))
        let transport = ScriptedTransport(.status(304))
        let document = document(transport)
        #expect(try await document.restore(limit: 100))
        #expect(try await document.fetch() == .unchanged)
        #expect(try await !document.restore(limit: 100), "what was adopted is newer")
        #expect(adopted.entries == ["kept"] && etags(transport) == ["1"])
    }

    @Test func validatorsThatA304RenewsAreKeptWithTheCopyTheySpeakOf() async throws {
        let renewed = Result<HTTPResponse, ScriptedTransport.Unreachable>.status(304, headers: ["Last-Modified": "b"])
        let transport = ScriptedTransport(answer("a", "1"), renewed, .status(304, headers: ["Last-Modified": "c"]))
        let document = document(transport)
        _ = try await document.fetch()
        _ = try await document.fetch()
        #expect(try copy.read(limit: 100)?.validators == HTTPValidators(etag: "1", lastModified: "b"))
        // Another process has stored a newer document, which this server has not served.
        try copy.write(Data("other".utf8), validators: HTTPValidators(etag: "9"))
        _ = try await document.fetch()
        #expect(try copy.read(limit: 100)?.validators == HTTPValidators(etag: "9"))
    }

    @Test func aCopyThatCouldNotBeWrittenIsWrittenWhenTheEndpointSaysThatTheDocumentIsStillTheOne() async throws {
        let blocked = folder.file("blocked")
        try Data().write(to: blocked)
        let copy = DocumentCopy(file: blocked.appending(path: "copy"), identity: "mine")
        let copies = Log<Bool>()
        let document = RemoteDocument(
            .endpoint { [request] in request }, copy: copy,
            transport: ScriptedTransport(answer("a", "1"), .status(304)), time: SystemTime(), whenAbandoned: .goesOn,
            consumer: RemoteDocument.Consumer(adopt: { _ in }, copyEnded: { copies.append($0 == nil) }))
        #expect(try await document.fetch() == .replaced)
        #expect(try await document.fetch() == .unchanged)
        #expect(copies.entries == [false, false], "a file stands where the folder should be")
        try FileManager.default.removeItem(at: blocked)
        for _ in 0..<3 { #expect(try await document.fetch() == .unchanged) }
        #expect(copies.entries == [false, false, true], "once it is kept there is nothing to write")
        #expect(try copy.read(limit: 100)?.document == Data("a".utf8))
        #expect(try copy.read(limit: 100)?.validators.etag == "1")
    }

    @Test func theResultOfAFetchIsReportedBeforeItsWaitersContinue() async throws {
        let transport = ScriptedTransport(answer("a", "1"), answer("bad", "2"), answer("b", "3"))
        let document = document(transport, isKept: false)
        for end in [true, false, true] {
            _ = try? await document.fetch()
            #expect(ends.entries.last == end)
        }
        #expect(ends.entries == [true, false, true])
    }

    @Test func aValueIsWhatTheLastDocumentThatCouldBeReadStandsFor() async throws {
        let transport = ScriptedTransport(answer("1", "a"), answer("one", "b"), answer("2", "c"))
        let value = RemoteValue(
            .endpoint { [request] in request }, transport: transport, time: SystemTime(), whenAbandoned: .goesOn,
            read: { data in
                guard let number = Int(String(decoding: data, as: UTF8.self)) else { throw Refused() }
                return number
            })
        #expect(value.current == nil)
        _ = try await value.document.fetch()
        #expect(value.current == 1)
        await #expect(throws: Refused.self) { try await value.document.fetch() }
        #expect(value.current == 1)
        _ = try await value.document.fetch()
        #expect(value.current == 2)
    }

    @Test func theSameBytesWithoutValidatorsAreAdoptedOnce() async throws {
        let transport = ScriptedTransport(
            .status(200, Data("a".utf8)), .status(200, Data("a".utf8)), .status(200, Data("bad".utf8)),
            .status(200, Data("a".utf8)), .status(200, Data("b".utf8)), .status(200, Data("a".utf8)))
        let document = document(transport)
        #expect(try await document.fetch() == .replaced)
        #expect(try await document.fetch() == .unchanged)
        await #expect(throws: Refused.self) { try await document.fetch() }
        #expect(try await document.fetch() == .unchanged)
        #expect(try await document.fetch() == .replaced)
        #expect(try await document.fetch() == .replaced)
        #expect(adopted.entries == ["a", "b", "a"])
        #expect(try copy.read(limit: 100)?.document == Data("a".utf8))
    }

    @Test func theSameBytesBringTheirNewValidators() async throws {
        try copy.write(Data("a".utf8), validators: HTTPValidators())
        let transport = ScriptedTransport(answer("a", "1"), answer("a", "2"), .status(304))
        let document = document(transport)
        #expect(try await document.restore(limit: 100))
        for _ in 0..<3 { #expect(try await document.fetch() == .unchanged) }
        #expect(adopted.entries == ["a"] && etags(transport) == [nil, "1", "2"])
        #expect(try copy.read(limit: 100)?.validators.etag == "2")
    }

    @Test func aFileIsAdoptedWhenItHasChanged() async throws {
        let file = folder.file("file")
        try Data("a".utf8).write(to: file)
        let document = RemoteDocument(
            .file { try RegularFile.read(file, limit: 3) }, transport: ScriptedTransport(status: 500),
            time: SystemTime(), whenAbandoned: .goesOn,
            consumer: RemoteDocument.Consumer { [adopted] in adopted.append(String(decoding: $0, as: UTF8.self)) })
        #expect(try await document.fetch() == .replaced)
        #expect(try await document.fetch() == .unchanged)
        try Data("bcd".utf8).write(to: file)
        #expect(try await document.fetch() == .replaced)
        try Data("bcde".utf8).write(to: file)
        await #expect(throws: RegularFile.Failure.tooLong) { try await document.fetch() }
        #expect(adopted.entries == ["a", "bcd"])
    }
}
