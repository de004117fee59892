internal import ConvertConcurrency

/// A cache of values by key. When it reaches its limit it is emptied, because few streams contain that many keys.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    init(limit: Int) { self.limit = limit }

    /// The value for `key`; `make` creates it if it is not cached.
    func value(for key: Key, made make: () -> Value) -> Value {
        values.withLock { values in
            if let known = values[key] { return known }
            if values.count >= limit { values = [:] }
            let value = make()
            values[key] = value
            return value
        }
    }
}
