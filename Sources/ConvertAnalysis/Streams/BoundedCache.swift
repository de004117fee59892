internal import ConvertConcurrency

/// Values that are made once for a key. Beyond a limit all are forgotten, because few streams have as many keys.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    init(limit: Int) { self.limit = limit }

    /// The value for `key`, which `make` makes if it is not known.
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
