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

/// An input that a command reads as it arrives. `SIGTERM` and `SIGINT` end it in order: reading stops, the command
/// processes what it has read, and then the signal ends the process.
final class ByteInput: Sendable {
    /// The number of seconds that a command may take to finish after a signal.
    private static let grace = 5

    private let file: FileHandle
    private let argument: String
    private let path: String
    /// Becomes readable after a signal.
    private let alarm = Pipe()
    private let caught = Mutex<Int32?>(nil)
    /// Unchecked, because sources are not `Sendable`. Invariant: no thread uses them after `init`.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// Opens the input at `path`; `-` is standard input.
    init(_ path: String, for argument: String) throws(UsageError) {
        file = try InputFile.open(path, for: argument)
        self.argument = argument
        self.path = path
        unsafe sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        // A signal is lost until its source is registered, which happens on another thread.
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

    /// Reads into `buffer` and returns the number of bytes; 0 at the end, `nil` after a signal. Writes only within the
    /// buffer's length, and only during the call.
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

    /// Returns the result of `body`, which reads this input as a stream of visitors. An error about the stream names
    /// the argument.
    func naming<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PopulationVisitorError {
            throw UsageError("\(argument) '\(path)': \(error.message)")
        }
    }

    /// If a signal arrived, ends the process by that signal.
    func endBySignalIfAny() {
        if let number = caught.withLock({ $0 }) { Self.die(by: number) }
    }

    /// Ends the process by a signal, with the signal's default action.
    static func die(by number: Int32) {
        signal(number, SIG_DFL)
        // Dispatch, in its threads, or the parent process may have blocked the signal.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
