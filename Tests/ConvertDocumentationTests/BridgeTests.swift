import Foundation
import Testing

/// An app copies the files that connect the SDK with other packages, so each has to stand alone.
struct BridgeTests {
    static let files =
        (try? FileManager.default.contentsOfDirectory(
            at: root.appending(path: "Sources/Bridges"), includingPropertiesForKeys: nil)) ?? []

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ServerApp")

    @Test func thereAreBridges() { #expect(Self.files.count > 6) }

    @Test(arguments: files) func aBridgeNeedsNoPackageAccess(file: URL) throws {
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("package "))
    }

    @Test(arguments: files) func aBridgeNamesTheVersionsThatTheManifestAsksFor(file: URL) throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let text = try String(contentsOf: file, encoding: .utf8)
        var count = 0
        for match in text.matches(of: /(async-http-client|swift-[a-z-]+) (\d+\.\d+\.\d+)/) {
            count += 1
            #expect(manifest.contains("/\(match.1)\", from: \"\(match.2)\""), "\(match.1) \(match.2)")
        }
        let usesAPackage = text.contains(/import (Logging|Metrics|Tracing|ServiceLifecycle|AsyncHTTPClient)/)
        #expect(count > 0 || !usesAPackage, "\(file.lastPathComponent) says no version")
    }
}
