#if os(Linux)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the header of a response from its lines, interim responses and all.
struct ResponseHeadReader {
    /// The longest header of a response, in bytes, together with those of interim responses and what follows a chunked
    /// body.
    static let longestLength = 256 << 10

    private enum State { case beforeStatus, inFields, complete }

    private var state = State.beforeStatus
    private var status = 0
    private var fields: [String: String] = [:]
    /// The field that a folded line would go on with.
    private var lastName: String?
    private var count = 0

    /// Takes the next line, with its end; `false` if this is no header, or too long a one.
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
            // What follows a chunked body is not part of the header.
            break
        }
        return true
    }

    /// What was read, once it is complete.
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
        // Not every version of libcurl refuses a line without a colon; it is no field.
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        lastName = colon.map { Self.text(line[..<$0]).lowercased() }
        guard let colon, let lastName else { return }
        let value = Self.text(line[(colon + 1)...])
        // Joined in place, or a header of many small fields of one name would take time by its square.
        if fields[lastName]?.append(", \(value)") == nil { fields[lastName] = value }
    }

    /// The text of `bytes` without the blanks around it. Field values have no encoding; what is not UTF-8 is replaced.
    private static func text(_ bytes: Data) -> String {
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { Data(" \t\r\n".utf8).contains(byte) }
}
#endif
