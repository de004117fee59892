import ConvertAnalysis
import ConvertConcurrency
import ConvertSwiftSDKCore
import ConvertTransport
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a command reads piece by piece, for as long as it comes. `SIGTERM` and `SIGINT` end it in order: what was read
/// is dealt with, nothing more is read, and then the process ends by the signal.
final class ByteInput: Sendable {
    /// How long a command may take to write what it has read, once a signal came.
    private static let grace = 5

    private let file: FileHandle
    private let argument: String
    private let path: String
    /// Readable once a signal came.
    private let alarm = Pipe()
    private let caught = Mutex<Int32?>(nil)
    /// Unchecked because sources are objects; nothing touches them once they are set up.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// The bytes of what `path` names; `-` is standard input.
    init(_ path: String, for argument: String) throws(UsageError) {
        file = try InputFile.open(path, for: argument)
        self.argument = argument
        self.path = path
        unsafe sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        // Until a source is registered, which another thread does, its signal would be lost.
        let registrations = DispatchGroup()
        for (source, number) in unsafe zip(sources, [SIGTERM, SIGINT]) {
            source.setEventHandler { [weak self] in self?.end(by: number) }
            registrations.enter()
            source.setRegistrationHandler { registrations.leave() }
            source.resume()
        }
        registrations.wait()
    }

    private func end(by number: Int32) {
        let isFirst = caught.withLock { caught in
            defer { caught = number }
            return caught == nil
        }
        // The second signal ends the process at once.
        guard isFirst else { return Self.die(by: number) }
        try? alarm.fileHandleForWriting.write(contentsOf: Data([1]))
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.grace)) { Self.die(by: number) }
    }

    /// Reads up to as many bytes as `buffer` has and returns how many; 0 at the end, `nil` once a signal came. The
    /// buffer is written only within its length, and only during the call.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(UsageError) -> Int? {
        while true {
            var files = [
                pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: alarm.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            if unsafe poll(&files, nfds_t(files.count), -1) < 0, errno != EINTR { throw unreadable }
            if files[1].revents != 0 { return nil }
            if files[0].revents == 0 { continue }
            let count = unsafe Self.read(file.fileDescriptor, buffer)
            if count >= 0 { return count }
            if errno != EINTR, errno != EAGAIN { throw unreadable }
        }
    }

    private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Glibc)
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    private var unreadable: UsageError { UsageError("\(argument): \(FileFailure(errno, at: path, .read))") }

    /// Returns what `body` returns, which reads this as a stream of visitors. An error about the stream names the
    /// argument.
    func naming<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PopulationVisitorError {
            throw UsageError("\(argument) '\(path)': \(error.message)")
        }
    }

    /// Ends the process by the signal that came, if one came.
    func endBySignalIfAny() {
        if let number = caught.withLock({ $0 }) { Self.die(by: number) }
    }

    /// Ends the process by a signal, as if it had never been caught.
    static func die(by number: Int32) {
        signal(number, SIG_DFL)
        // It may be blocked here: by Dispatch in its threads, or by the parent process.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
