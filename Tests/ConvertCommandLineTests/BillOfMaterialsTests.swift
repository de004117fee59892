import ConvertTestSupport
import Foundation
import Testing

/// `.sbom.cdx.json` lists the libraries of the system that the package uses, and no others.
struct BillOfMaterialsTests {
    private struct Bill: Decodable {
        struct Component: Decodable {
            struct Property: Decodable {
                let name: String
                let value: String
            }

            let name: String
            let reference: String
            let scope: String
            let properties: [Property]

            enum CodingKeys: String, CodingKey {
                case name, scope, properties
                case reference = "bom-ref"
            }

            func values(_ name: String) -> [String] {
                properties.filter { $0.name == "convert:\(name)" }.map(\.value)
            }
        }

        struct Dependency: Decodable {
            let ref: String
            let dependsOn: [String]
        }

        let bomFormat: String
        let specVersion: String
        let components: [Component]
        let dependencies: [Dependency]
    }

    private let bill: Bill
    private let manifest: String

    init() throws {
        let file = Documentation.root.appending(path: ".sbom.cdx.json")
        bill = try JSONDecoder().decode(Bill.self, from: Data(contentsOf: file))
        manifest = try String(contentsOf: Documentation.root.appending(path: "Package.swift"), encoding: .utf8)
    }

    @Test func theFormatIsCycloneDX() {
        #expect(bill.bomFormat == "CycloneDX" && bill.specVersion == "1.6")
    }

    @Test func thePackageDependsOnEveryComponent() {
        #expect(bill.dependencies.map(\.ref) == ["convert-swift-sdk"])
        #expect(bill.dependencies.first?.dependsOn == bill.components.map(\.reference))
    }

    @Test func theManifestHasNoOtherSystemLibraries() {
        let linked = manifest.matches(of: /pkgConfig: "([^"]+)"/).map { String($0.1) }
        #expect(Set(linked) == Set(bill.components.flatMap { $0.values("pkg-config") }))
    }

    @Test func theManifestHasNoPackageDependencies() {
        #expect(!manifest.contains(".package("))
    }

    /// The libraries that are loaded while the process runs, and the places in Sources that load libraries.
    @Test func librariesLoadedAtRunTimeAreListed() throws {
        let sources = try [".swift", ".c", ".h"].flatMap { try Documentation.files(in: "Sources", named: $0) }
        var loading: Set<String> = []
        for file in sources where try String(contentsOf: file, encoding: .utf8).contains("dlopen(") {
            loading.insert(file.lastPathComponent)
        }
        #expect(loading == ["CConvertCurl.c", "LibraryUse.swift", "XCTestFailure.swift"])
        let files = bill.components.filter { $0.values("linked") == ["run time"] }.flatMap { $0.values("file") }
        #expect(files == ["libcurl.so.4", "libcrypto.so.3"])
    }

    #if os(Linux)
    /// The benchmarks link every product that an app can.
    @Test(arguments: ["convert-sdk", "convert-benchmarks"])
    func whatAnExecutableLoadsIsListed(name: String) throws {
        let executable = BuiltProduct.executable(name)
        let run = try Tool.run([executable.path], of: URL(fileURLWithPath: "/usr/bin/ldd"))
        let loaded = run.output.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first.map { String($0.trimmingPrefix("\t").split(separator: "/").last ?? "") }
        }
        #expect(loaded.count > 10)
        let listed = bill.components.flatMap { $0.values("file") }
        for library in loaded where library != "linux-vdso.so.1" {
            #expect(listed.contains { Self.matches($0, library) }, "\(library)")
        }
    }

    /// - Parameter pattern: a file's name, in which one `*` stands for any characters.
    private static func matches(_ pattern: String, _ name: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return pattern == name }
        return name.hasPrefix(parts[0]) && name.hasSuffix(parts[1])
    }
    #endif
}
