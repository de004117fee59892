import Foundation

/// Reads files that somebody else put in their place.
enum RegularFile {
    enum Failure: Error {
        /// A folder, a device, or a pipe, whose end might never come.
        case notRegular
        /// It is longer than the limit.
        case tooLong
    }

    /// The file's bytes, at most `limit` of them.
    static func read(_ url: URL, limit: Int) throws -> Data {
        let path = url.resolvingSymlinksInPath().path
        // Looked at before it is opened: opening a pipe waits for its writer.
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { throw Failure.notRegular }
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var data = Data()
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
            guard part.count <= limit - data.count else { throw Failure.tooLong }
            data += part
        }
        return data
    }
}
