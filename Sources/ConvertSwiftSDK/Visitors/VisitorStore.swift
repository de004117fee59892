public import ConvertSwiftSDKCore

/// Keeps what is known about visitors, so that a goal counts once and a decision outlives a change of weights.
///
/// A stored decision spares a visitor permanent audiences only: environment, locations and transient audiences are asked at
/// each call.
///
/// The SDK brings ``InMemoryVisitorStore``; `ConvertSQLiteStores` has a durable one, and `ConvertPostgresStores` one that
/// the servers of a fleet share, in which the first stored decision of an experience wins; an app may bring its own:
///
///     struct SharedStore: VisitorStore {
///         let database: Database
///
///         func load(_ key: String) async throws -> VisitorState? { try await database.record(key) }
///
///         func save(_ changes: VisitorState, for key: String) async throws {
///             try await database.transaction { transaction in
///                 let stored = try await transaction.record(key) ?? VisitorState()
///                 try await transaction.set(key, stored.merging(changes))
///             }
///         }
///     }
///
/// A key is the text `account-project-visitor`, such as `10022898-10025986-visitor-1`. The visitor's part is whatever the
/// app called the visitor by: of any length, with any characters. Two keys are one only if their UTF-8 bytes are equal;
/// Swift's `==` on `String` is coarser than that.
///
/// **What is promised.** The SDK never waits for a store in a decision, and a store that fails or is slow never changes
/// one. For one key the SDK makes one call of `save` at a time, in the order of the changes, and none before the last one
/// has returned, even if that was given up after 10 seconds; up to 64 calls for different keys are waited for at once. Up to
/// ``SDKConfiguration/storeLoadLimit`` calls of `load` run at once: one for each key, and those that were given up after 10
/// seconds and have not returned. Changes that were not saved are merged into later ones and saved again, for up to
/// ``SDKConfiguration/storeQueueCapacity`` visitors, so a change may arrive more than once, and ``save(_:for:)`` must be
/// idempotent; ``VisitorState/merging(_:)`` is, but for duplicates in lists of segments. If several processes save for one visitor, the change that is saved last
/// counts for each experience, segment and goal; nothing else of the record is lost as long as `save` reads, merges and
/// writes in one transaction.
public protocol VisitorStore: Sendable {
    /// The record stored under `key`, or `nil` if there is none.
    ///
    /// - Throws: any error if the record cannot be read. Then the visitor is treated as a new one, and the error is logged.
    func load(_ key: String) async throws -> VisitorState?

    /// Merges `changes` over the record under `key`, as ``VisitorState/merging(_:)`` does, and makes one if there is none.
    ///
    /// - Parameters:
    ///   - changes: what changed since the last successful call for this key; members without changes are `nil`. It is
    ///     not the whole record.
    ///   - key: the visitor's key.
    /// - Throws: any error if the changes are not stored. They are offered again later.
    func save(_ changes: VisitorState, for key: String) async throws
}
