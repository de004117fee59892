#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The ids of rows that were appended in one step.
enum AppendedRows {
    /// They follow one another from this one.
    case inOrder(from: Int64)
    /// Those of each call; `nil` where others counted its goals, and nothing was appended. Where a journal gave too few
    /// or too many, each is 0, under which no journal can find a row.
    case byCall([[Int64]?])

    /// Whether the call with the index was appended.
    func hasCall(_ index: Int) -> Bool {
        guard case .byCall(let ids) = self else { return true }
        return ids[index] != nil
    }

    /// The ids of `call`, the one with the index, behind `rowCount` rows of others; `nil` if it was not appended.
    func ids(of call: TrackedCall, at index: Int, behind rowCount: Int) -> RowIDs? {
        switch self {
        case .inOrder(let first):
            return RowIDs(first: first + Int64(rowCount), call: call)
        case .byCall(let ids):
            return ids[index].map { RowIDs(listed: $0, call: call) }
        }
    }
}

/// The ids of one call's rows.
struct RowIDs {
    private let first: Int64
    private let listed: [Int64]?
    private let claimRow: Int?

    fileprivate init(first: Int64, call: TrackedCall) {
        self.first = first
        listed = nil
        claimRow = call.claimRow
    }

    /// - Parameter listed: one for each of the call's rows.
    fileprivate init(listed: [Int64], call: TrackedCall) {
        first = 0
        self.listed = listed
        claimRow = call.claimRow
    }

    /// The id of the row with the index.
    subscript(row: Int) -> Int64 { listed?[row] ?? first + Int64(row) }

    /// The row of the claim, if there is one that can be found.
    var claim: Int64? {
        guard let claimRow, self[claimRow] > 0 else { return nil }
        return self[claimRow]
    }
}

extension EventDelivery {
    /// Appends the rows of `calls` in one step, in the way that suits the journal; called only if there is one.
    ///
    /// - Parameter areReported: whether they are appended in any case, because their events may be on their way.
    func appendRows(
        of calls: some RandomAccessCollection<TrackedCall>, areReported: Bool = false
    ) throws -> AppendedRows {
        if let writingJournal {
            var rest = calls[...]
            var start = 0
            let first = try writingJournal.append(calls.rowCount) { row, json in
                if row == 0 { (rest, start) = (calls[...], 0) }
                while let call = rest.first, row - start >= call.rowCount {
                    start += call.rowCount
                    rest.removeFirst()
                }
                rest.first?.write(row: row - start, to: &json)
            }
            return .inOrder(from: first)
        }
        if let sharedJournal {
            let found = try sharedJournal.append(calls.map { JournalCall($0, isReported: areReported) })
            return .byCall(
                calls.enumerated().map { index, call in
                    guard index < found.count else { return Self.ids([], for: call.rowCount) }
                    return found[index].map { Self.ids($0, for: call.rowCount) }
                })
        }
        var rest = Self.ids(try journal?.append(calls.flatMap(\.rows)) ?? [], for: calls.rowCount)[...]
        return .byCall(
            calls.map { call in
                defer { rest = rest.dropFirst(call.rowCount) }
                return Array(rest.prefix(call.rowCount))
            })
    }

    /// As many ids as there are rows.
    private static func ids(_ ids: [Int64], for rowCount: Int) -> [Int64] {
        ids.count == rowCount ? ids : Array(repeating: 0, count: rowCount)
    }
}

extension Sequence<TrackedCall> {
    /// The number of all their rows.
    fileprivate var rowCount: Int { reduce(0) { $0 + $1.rowCount } }
}
