#if os(Linux)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the header of a response line by line, including interim responses.
struct ResponseHeadReader {
    /// The maximum length of a response's header in bytes, including interim responses and trailers.
    static let longestLength = 256 << 10

    private enum State { case beforeStatus, inFields, complete }

    private var state = State.beforeStatus
    private var status = 0
    private var fields: [String: String] = [:]
    /// The field that a folded line would continue.
    private var lastName: String?
    private var count = 0

    /// Reads the next line, including its end; `false` if it is not part of a header, or if the header is too long.
    mutating func read(_ line: Data) -> Bool {
        count += line.count
        guard count <= Self.longestLength else { return false }
        switch state {
        case .beforeStatus:
            guard let status = Self.status(line) else { return false }
            self.status = status
            state = .inFields
        case .inFields where line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }):
            readEnd()
        case .inFields:
            readField(line)
        case .complete:
            // Trailers are not part of the header.
            break
        }
        return true
    }

    /// The header, when it is complete.
    func result(to request: HTTPRequest) -> ResponseHead? {
        state == .complete ? ResponseHead(status: status, headers: fields, to: request) : nil
    }

    private static func status(_ line: Data) -> Int? {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count >= 2, parts[0].starts(with: Data("HTTP/".utf8)) else { return nil }
        return Int(text(parts[1])).flatMap { (100...999).contains($0) ? $0 : nil }
    }

    private mutating func readEnd() {
        let isInterim = (100..<200).contains(status)
        state = isInterim ? .beforeStatus : .complete
        if isInterim { fields = [:] }
        lastName = nil
    }

    private mutating func readField(_ line: Data) {
        if line.first.map(Self.isBlank) == true {
            if let lastName { fields[lastName]?.append(" \(Self.text(line))") }
            return
        }
        // Some versions of libcurl accept a line without a colon; it is not a field.
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        lastName = colon.map { Self.text(line[..<$0]).lowercased() }
        guard let colon, let lastName else { return }
        let value = Self.text(line[(colon + 1)...])
        // Joined in place; otherwise a header with many small fields of the same name would take quadratic time.
        if fields[lastName]?.append(", \(value)") == nil { fields[lastName] = value }
    }

    /// The text of `bytes` without surrounding blanks. Field values have no encoding; bytes that are not UTF-8 are
    /// replaced.
    private static func text(_ bytes: Data) -> String {
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { Data(" \t\r\n".utf8).contains(byte) }
}
#endif
