import ConvertMobileRules
import Foundation
import Testing

/// Archives that others made: one rule with a message, its HTML beside it.
struct RealArchivesTests {
    /// By Info-ZIP's `zip -r`: deflated, with a folder and with extra fields.
    private static let infoZIP = """
        UEsDBBQAAAAIAEladV2yP8dSfwAAAMAAAAAKABwAcnVsZXMuanNvblVUCQAD+n0Ba/p9AWt1eAsAAQQAAAAABAAAAAA9jUEKwyAQRe8yayl061VK\
        F6I/RDqaVMfSIPbsVQlhNsP8N+9X+iBlv0XSd0WpMDLpRyW7Redl3ivJsYM0BSN2RSJFDouPV/zC0dPfpNRFacKXWlNDlfEuiPZ0ezdkHT293oTp\
        FON51iHsbGRES2HONgGxE6sEHp+3ubT27PMHUEsDBAoAAAAAAEladV0AAAAAAAAAAAAAAAAHABwAYXNzZXRzL1VUCQAD+n0Ba/p9AWt1eAsAAQQA\
        AAAABAAAAABQSwMEFAAAAAgASVp1Xcum+UoaAAAAHwAAAA0AHABhc3NldHMvbS5odG1sVVQJAAP6fQFr+n0Ba3V4CwABBAAAAAAEAAAAALPJKMnN\
        sbNJyk+ptMvPS0610QczbfTB4lwAUEsBAh4DFAAAAAgASVp1XbI/x1J/AAAAwAAAAAoAGAAAAAAAAQAAAKSBAAAAAHJ1bGVzLmpzb25VVAUAA/p9\
        AWt1eAsAAQQAAAAABAAAAABQSwECHgMKAAAAAABJWnVdAAAAAAAAAAAAAAAABwAYAAAAAAAAABAA7UHDAAAAYXNzZXRzL1VUBQAD+n0Ba3V4CwAB\
        BAAAAAAEAAAAAFBLAQIeAxQAAAAIAEladV3LpvlKGgAAAB8AAAANABgAAAAAAAEAAACkgQQBAABhc3NldHMvbS5odG1sVVQFAAP6fQFrdXgLAAEE\
        AAAAAAQAAAAAUEsFBgAAAAADAAMA8AAAAGUBAAAAAA==
        """

    /// By Python's `zipfile` into a stream: lengths and checksum stand behind the data.
    private static let streamed = """
        UEsDBBQACAAIAEladV0AAAAAAAAAAAAAAAAKAAAAcnVsZXMuanNvbj2NQQrDIBBF7zJrKXTrVUoXoj9EOppUx9Ig9uxVCWE2w/w371f6IGW/RdJ3\
        RakwMulHJbtF52XeK8mxgzQFI3ZFIkUOi49X/MLR09+k1EVpwpdaU0OV8S6I9nR7N2QdPb3ehOkU43nWIexsZERLYc42AbETqwQen7e5tPbs8wdQ\
        SwcIsj/HUn8AAADAAAAAUEsBAhQDFAAIAAgASVp1XbI/x1J/AAAAwAAAAAoAAAAAAAAAAAAAAIABAAAAAHJ1bGVzLmpzb25QSwUGAAAAAAEAAQA4\
        AAAAtwAAAAAA
        """

    /// By Info-ZIP's `zip -P`.
    private static let encrypted = """
        UEsDBBQACQAIAEladV2yP8dSiwAAAMAAAAAKABwAcnVsZXMuanNvblVUCQAD+n0Ba/p9AWt1eAsAAQQAAAAABAAAAAAozS26PMU8dc5Dz1F1s6YW\
        E0rcM4tmxB4iLLZAwrfMb79DhJDgMCGpTv7fWGvrmzpQ+C26OJ3/liV4gddSlyQ7+NOUHb3cAl0iscgLHGYhA+65zgq2S94EweOoxMZSmbz0aJ/R\
        qW0ZFF/Yxxh6VF66Cen+6fYV8bVvxeiUqKk+KxU6KSuQAIp/tPBYUEsHCLI/x1KLAAAAwAAAAFBLAQIeAxQACQAIAEladV2yP8dSiwAAAMAAAAAK\
        ABgAAAAAAAEAAACkgQAAAABydWxlcy5qc29uVVQFAAP6fQFrdXgLAAEEAAAAAAQAAAAAUEsFBgAAAAABAAEAUAAAAN8AAAAAAA==
        """

    private func data(_ base64: String) throws -> Data { try #require(Data(base64Encoded: base64)) }

    @Test func anArchiveOfAFolderIsRead() throws {
        let package = try RulesPackage(data(Self.infoZIP))
        #expect(package.document.rules[0].consequences.map(\.id) == ["m"])
        #expect(package.assets["m.html"] == Data("<html><body>once</body></html>\n".utf8))
        #expect(package.assets.entries.count == 1)
    }

    @Test func anArchiveMadeAsAStreamIsRead() throws {
        #expect(try RulesPackage(data(Self.streamed)).document.rules[0].consequences.map(\.id) == ["m"])
    }

    @Test func anEncryptedArchiveIsRefused() throws {
        let error = #expect(throws: MobileRulesError.self) { try RulesPackage(data(Self.encrypted)) }
        #expect(error?.code == .invalidArchive)
        #expect(error?.place == "rules.json")
    }
}
