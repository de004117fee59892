package import ConvertSwiftSDKCore

/// A visitor store that several machines share, and that decides which of two different decisions counts.
package protocol SharedVisitorStore: VisitorStore {
    /// Merges `changes` over the record under `key` as ``VisitorChanges/merged(over:)`` does, and makes one if there is none.
    /// - Returns: the record as it is now.
    /// - Throws: any error if the changes are not stored. They are offered again later.
    func settle(_ changes: VisitorChanges, for key: String) async throws -> VisitorState
}
