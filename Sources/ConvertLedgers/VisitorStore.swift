public import ConvertSwiftSDKCore

/// An app's own store of visitors, for ``VisitorStoreLedger``.
///
///     struct RedisStore: VisitorStore {
///         let client: Client
///
///         func load(_ key: String) async throws -> VisitorState? { try await client.record(key) }
///
///         func forget(_ key: String) async throws { try await client.delete(key) }
///
///         func save(_ changes: VisitorState, for key: String) async throws {
///             try await client.transaction { transaction in
///                 let stored = try await transaction.record(key) ?? VisitorState()
///                 try await transaction.set(key, stored.merging(changes))
///             }
///         }
///     }
///
/// A key is the text `account-project-visitor`, such as `10022898-10025986-visitor-1`. The visitor's part is the id
/// that the app passed, of any length and with any characters. Two keys are equal only if their UTF-8 bytes are;
/// Swift's `==` on `String` also equates different bytes.
///
/// No decision waits for a store, and a store that fails or is slow never changes a decision. For each key, the SDK
/// makes one call of `save` at a time, in the order of the changes. Changes that were not saved are saved again. A
/// change may therefore arrive more than once, and ``save(_:for:)`` must be idempotent; `VisitorState.merging(_:)` is,
/// except for duplicates in lists of segments. If several processes save for one visitor, the last saved change of each
/// experience, segment and goal counts. Nothing else of the record is lost if `save` reads, merges and writes in one
/// transaction.
///
/// Methods may be called concurrently for different keys.
public protocol VisitorStore: Sendable {
    /// The record stored under `key`, or `nil` if there is no record.
    ///
    /// - Throws: any error if the record cannot be read. The SDK then treats the visitor as new, and logs the error.
    func load(_ key: String) async throws -> VisitorState?

    /// Merges `changes` over the record under `key`, as `VisitorState.merging(_:)` does. Creates the record if it is
    /// missing.
    ///
    /// - Parameters:
    ///   - changes: the changes since the last successful call for this key, not the whole record. Unchanged members
    ///     are `nil`.
    ///   - key: the visitor's key.
    /// - Throws: any error if the changes are not stored. The SDK saves them again later.
    func save(_ changes: VisitorState, for key: String) async throws

    /// Deletes the record under `key`.
    ///
    /// - Throws: any error if the record may still exist. The SDK calls this again later.
    func forget(_ key: String) async throws
}
