package import ConvertSwiftSDK
import ConvertECMAScript
package import ConvertSwiftSDKCore
import Foundation

/// What every visitor store promises, a clause each.
package enum VisitorStoreContract: String, CaseIterable, Sendable {
    case aVisitorWhoWasNeverSavedHasNoRecord, keepsARecordOverARestart, mergesWhatIsSaved, keysAreBytes
    case keepsValuesOfEveryKind, mergesSegmentsOnceForEachWrite
    case savesOfOneVisitorAtOnceAreAllKept, visitorsWhoAreSavedAtOnceAreAllKept

    /// Checks the clause on stores that have never been used.
    /// - Parameters:
    ///   - open: opens a store, each time on the same place.
    ///   - merged: what a record and changes come to.
    /// - Throws: `ContractFailure`, or what the store throws.
    package func check(
        merged: (VisitorState, VisitorState) -> VisitorState = { $0.merging($1) }, open: () throws -> any VisitorStore
    ) async throws {
        let store = try open()
        switch self {
        case .aVisitorWhoWasNeverSavedHasNoRecord: try await expect(store.load("1-2-visitor"), equals: nil)
        case .keepsARecordOverARestart:
            let record = try state(
                #"{"bucketing":{"10":"20","9":7},"locations":["a","b"],"segments":{"country":"DE"},"goals":{"g":true}}"#
            )
            try await store.save(record, for: "1-2-visitor")
            try await expect(open().load("1-2-visitor"), equals: record)
        case .mergesWhatIsSaved: try await checkMerging(store, merged)
        case .keysAreBytes: try await checkKeys(store)
        case .keepsValuesOfEveryKind:
            let record = try state(
                #"{"segments":{"zeta":"\u0000\n\"\\ \ud83d\ude00","alpha":[1,2.5,null,true,{"b":1,"a":2}]}}"#)
            try await store.save(record, for: "v")
            try await expect(store.load("v"), equals: record)
        case .mergesSegmentsOnceForEachWrite:
            let lists = try [#"["a","a"]"#, #"["b"]"#, #""c""#, #"["d","d"]"#, #"["e"]"#].map {
                try state(#"{"segments":{"country":\#($0)}}"#)
            }
            try await store.save(lists[0], for: "v")
            try await expect(store.load("v"), equals: lists[0])
            // Several writes that are saved together.
            try await store.save(lists[1].merging(lists[2]).merging(lists[3]), for: "v")
            try await expect(store.load("v"), equals: lists[3])
            try await store.save(lists[4], for: "v")
            try await expect(store.load("v"), equals: state(#"{"segments":{"country":["e","d"]}}"#))
        case .savesOfOneVisitorAtOnceAreAllKept:
            try await withThrowingTaskGroup { group in
                for index in 0..<200 {
                    group.addTask { try await store.save(state(#"{"goals":{"\#(index)":true}}"#), for: "v") }
                }
                try await group.waitForAll()
            }
            try await expect(store.load("v")?.goals?.members.count, equals: 200)
        case .visitorsWhoAreSavedAtOnceAreAllKept: try await checkManyVisitors(store)
        }
    }

    private func checkMerging(
        _ store: any VisitorStore, _ merged: (VisitorState, VisitorState) -> VisitorState
    ) async throws {
        let changes = try [
            #"{"bucketing":{"1":"a"},"goals":{"g":true}}"#, #"{"bucketing":{"2":"b"},"locations":["x"]}"#,
            #"{"bucketing":{"1":"c"},"segments":{"source":"ad"}}"#, #"{"locations":[]}"#,
        ].map(state)
        for change in changes { try await store.save(change, for: "v") }
        let expected = changes.reduce(VisitorState(), merged)
        try await expect(store.load("v"), equals: expected)
        try await store.save(changes[3], for: "v")
        try await expect(store.load("v"), equals: expected, "saving again changes nothing")
    }

    private func checkKeys(_ store: any VisitorStore) async throws {
        // Composed and decomposed é, equal to Swift; a NUL, where C strings end; and other ends of the range.
        let long = String(repeating: "k", count: 1 << 20)
        let keys = [
            "\u{e9}", "e\u{301}", "a", "a\0", "a\0b", "", "A", long, long + "k", String(repeating: "ü", count: 500),
            String(repeating: "ü", count: 501), "'; --", "\\x00", "{a,b}", "NULL", "\u{1F600}\r\n\t\"%s$1",
        ]
        for (index, key) in keys.enumerated() {
            try await store.save(state(#"{"goals":{"\#(index)":true}}"#), for: key)
        }
        for (index, key) in keys.enumerated() {
            try await expect(store.load(key)?.goals?.members.map(\.key.name), equals: ["\(index)"], "key \(index)")
        }
    }

    private func checkManyVisitors(_ store: any VisitorStore) async throws {
        try await withThrowingTaskGroup { group in
            for index in 0..<1000 {
                // Every visitor twice, in different orders.
                for number in [index, 999 - index] {
                    group.addTask {
                        try await store.save(state(#"{"goals":{"\#(number)-\#(index)":true}}"#), for: "v\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        for number in stride(from: 0, to: 1000, by: 37) {
            try await expect(store.load("v\(number)")?.goals?.members.count, equals: 2, "visitor \(number)")
        }
    }
}

private func state(_ json: String) throws -> VisitorState { try VisitorState(json: Data(json.utf8)) }
