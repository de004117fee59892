import ConvertTransport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Opens files, and reports errors in the system's words.
enum SystemFile {
    /// Opens the file at `path` for reading.
    /// - Throws: ``FileFailure`` if the file cannot be opened or is a folder.
    static func open(_ path: String) throws(FileFailure) -> FileHandle {
        let descriptor = openToRead(path)
        guard descriptor >= 0 else { throw FileFailure(errno, at: path, .read) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        // Safe: the system calls in this file use their pointers only during the call.
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw FileFailure(EISDIR, at: path, .read)
        }
        return file
    }

    /// The maximum number of files that a command, Dispatch and libcurl open at a time, besides the standard streams.
    private static let mostOpen = 8

    /// Checks that a command can open enough files. Dispatch ends the process if it cannot open its own.
    static func checkRoom() throws(UsageError) {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for _ in 0..<mostOpen {
            let descriptor = openToRead("/dev/null")
            guard descriptor >= 0 else { throw UsageError("\(FileFailure(errno, at: "/dev/null", .read))") }
            descriptors.append(descriptor)
        }
    }
}

private func openToRead(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_CLOEXEC) }

extension Error {
    /// The system's error number behind this error; 0 if there is no such number.
    var systemNumber: Int32 {
        var next: NSError? = self as NSError
        while let error = next {
            if error.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: error.code) }
            next = error.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return switch (self as? CocoaError)?.code {
        case .fileNoSuchFile?, .fileReadNoSuchFile?: ENOENT
        case .fileReadNoPermission?, .fileWriteNoPermission?: EACCES
        case .fileWriteOutOfSpace?: ENOSPC
        case .fileWriteVolumeReadOnly?: EROFS
        case .fileReadInvalidFileName?, .fileWriteInvalidFileName?: ENAMETOOLONG
        default: 0
        }
    }
}
