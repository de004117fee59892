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
/// A key is the text `account-project-visitor`, such as `10022898-10025986-visitor-1`. The visitor's part is whatever
/// the app called the visitor by: of any length, with any characters. Two keys are one only if their UTF-8 bytes are
/// equal; Swift's `==` on `String` is coarser than that.
///
/// No decision waits for a store, and a store that fails or is slow never changes one. For one key the SDK makes one
/// call of `save` at a time, in the order of the changes. Changes that were not saved are saved again, so a change may
/// arrive more than once, and ``save(_:for:)`` must be idempotent; `VisitorState.merging(_:)` is, but for duplicates
/// in lists of segments. If several processes save for one visitor, the change that is saved last counts for each
/// experience, segment and goal; nothing else of the record is lost as long as `save` reads, merges and writes in one
/// transaction.
public protocol VisitorStore: Sendable {
    /// The record stored under `key`, or `nil` without a record.
    ///
    /// - Throws: any error if the record cannot be read. Then the visitor is treated as a new one, and the error is
    ///   logged.
    func load(_ key: String) async throws -> VisitorState?

    /// Merges `changes` over the record under `key`, as `VisitorState.merging(_:)` does, and makes a missing one.
    ///
    /// - Parameters:
    ///   - changes: what changed since the last successful call for this key; members without changes are `nil`. It is
    ///     not the whole record.
    ///   - key: the visitor's key.
    /// - Throws: any error if the changes are not stored. They are offered again later.
    func save(_ changes: VisitorState, for key: String) async throws

    /// Forgets the record under `key`.
    ///
    /// - Throws: any error if the record may be there still. Then the store is asked again later.
    func forget(_ key: String) async throws
}
