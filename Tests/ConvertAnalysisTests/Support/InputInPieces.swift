import ConvertConcurrency

/// An input that is read in short pieces, which end within lines.
final class InputInPieces: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>
    private let mostBytes: Int

    /// Creates the input.
    ///
    /// - Parameter mostBytes: the maximum number of bytes in a piece.
    init(_ bytes: some Sequence<UInt8>, mostBytes: Int = 5_000) {
        rest = Mutex(Array(bytes)[...])
        self.mostBytes = mostBytes
    }

    /// Fills `buffer` with the next piece, and returns its length; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        rest.withLock { rest in
            let piece = rest.prefix(min(buffer.count, mostBytes))
            buffer.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }
}
