/// An object's members that do not change any more, in memory of their own.
package final class FrozenObject: Sendable {
    /// The members as bare memory, of which reading counts no references.
    ///
    /// Unchecked because it points to memory, which nobody writes. Invariant: it is used only while the object that owns
    /// it lives.
    package struct View: @unchecked Sendable {
        fileprivate let keys: KeyTable.View
        fileprivate let values: UnsafePointer<JSValue>

        /// The value of `key`, or `nil` if there is none.
        package func value(named key: String) -> JSValue? {
            keys.index(named: key).map { (values + $0).pointee }
        }
    }

    /// The members, to be used only while this object lives.
    package let view: View
    private let keys: FrozenKeyTable
    private let count: Int

    /// A copy of `object`.
    package init(_ object: JSObject) {
        var table = KeyTable()
        for member in object { _ = table.append(member.key) }
        keys = FrozenKeyTable(table)
        count = object.count
        let values = UnsafeMutablePointer<JSValue>.allocate(capacity: max(1, count))
        _ = UnsafeMutableBufferPointer(start: values, count: count).initialize(from: object.members.lazy.map(\.value))
        view = View(keys: keys.view, values: values)
    }

    deinit {
        UnsafeMutablePointer(mutating: view.values).deinitialize(count: count)
        view.values.deallocate()
    }
}
