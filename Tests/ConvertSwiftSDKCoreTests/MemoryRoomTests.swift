import Foundation
import Testing

/// Where unsafe constructs may be. The compiler asks to mark them, but a mark may be anywhere, so a test reads the
/// files.
struct MemoryRoomTests {
    /// Files outside of `Memory` folders that call C libraries or the system, or pass on buffers that an app gives.
    private static let wrappers: Set = [
        "ConvertAnalysis/Diff/ConfigDiff.swift", "ConvertAnalysis/Population/PopulationAssignment+Run.swift",
        "ConvertAnalysis/Population/PopulationSimulation.swift", "ConvertAnalysis/Replay/DecisionReplay+Run.swift",
        "ConvertAnalysis/SampleRatioLog/SampleRatioLog.swift", "ConvertAnalysis/Streams/RecordReader.swift",
        "ConvertAnalysis/Streams/RecordStream.swift", "ConvertAnalysis/Streams/StreamFold.swift",
        "ConvertConcurrency/Invariant.swift", "ConvertConcurrency/LibraryUse.swift", "ConvertConcurrency/Mutex.swift",
        "ConvertConcurrency/PlantedFault.swift", "ConvertMobileRules/Evaluation/LocalTimeZone.swift",
        "ConvertMobileRules/Loading/Archive/Zlib.swift", "ConvertParityVectors/VectorRunner.swift",
        "ConvertPostgresStores/Database/Command.swift", "ConvertPostgresStores/Database/Connection.swift",
        "ConvertPostgresStores/Database/DatabaseAddress.swift", "ConvertPostgresStores/Database/Rows.swift",
        "ConvertSQLiteStores/Database/Connection.swift",
        "ConvertSQLiteStores/Database/FileSystem.swift", "ConvertSQLiteStores/Database/Statement.swift",
        "ConvertTesting/XCTestFailure.swift", "ConvertTransport/Curl/CurlLibrary.swift",
        "ConvertTransport/Curl/EasyHandle.swift", "ConvertTransport/Curl/MultiHandle.swift",
        "ConvertTransport/Curl/TransferThread.swift", "ConvertTransport/RemoteDocument/DocumentDigest.swift",
        "ConvertTransport/RemoteDocument/FileDescriptor.swift", "ConvertTransport/RemoteDocument/FileFailure.swift",
        "ConvertTransport/RemoteDocument/RegularFile.swift",
    ]

    /// Files of the libraries with an unsafe construct outside of `Memory` folders.
    private static let found: Set<String> = {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: sources.path)) ?? []
        return Set(
            paths.filter { path in
                guard path.hasPrefix("Convert"), path.hasSuffix(".swift"), !path.contains("/Memory/"),
                    let text = try? String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
                else { return false }
                return hasUnsafeConstruct(text)
            })
    }()

    private static func hasUnsafeConstruct(_ text: String) -> Bool {
        text.split(separator: "\n").contains { line in
            let code = line.drop { $0 == " " }
            guard !code.hasPrefix("//") else { return false }
            // The word of a page's security policy is no construct.
            let words = code.replacing("'unsafe-inline'", with: "").split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            return words.contains { word in
                word == "Unmanaged" || word == "deallocate" || word.hasPrefix("unsafe") || word.contains("Unsafe")
            }
        }
    }

    @Test func onlyMemoryFoldersAndWrappersHaveUnsafeConstructs() {
        let others = Self.found.subtracting(Self.wrappers)
        #expect(others.isEmpty, "\(others.sorted())")
    }

    @Test func theEngineAndTheLanguageHaveNoWrappers() {
        #expect(!Self.wrappers.contains { $0.hasPrefix("ConvertSwiftSDKCore/") || $0.hasPrefix("ConvertECMAScript/") })
    }

    @Test func eachWrapperStillNeedsToBeListed() {
        #expect(Self.wrappers.subtracting(Self.found) == [])
    }

    @Test(arguments: ["unsafe start.move()", "let a: UnsafePointer<Int>", "a.withUnsafeBytes {", "memory.deallocate()"])
    func aConstructIsRecognized(_ line: String) { #expect(Self.hasUnsafeConstruct("    \(line)")) }

    @Test(arguments: ["// unsafe start", "let safe = 1"])
    func otherLinesAreNot(_ line: String) { #expect(!Self.hasUnsafeConstruct("    \(line)")) }
}
