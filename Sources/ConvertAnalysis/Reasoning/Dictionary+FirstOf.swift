extension Dictionary {
    /// Creates a dictionary; of several pairs with one key, the first counts.
    init(firstOf pairs: some Sequence<(Key, Value)>) {
        self.init(pairs, uniquingKeysWith: { first, _ in first })
    }
}
