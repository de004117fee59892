extension Dictionary {
    /// A dictionary of the pairs, in which of several with one key the first counts.
    init(firstOf pairs: some Sequence<(Key, Value)>) {
        self.init(pairs, uniquingKeysWith: { first, _ in first })
    }
}
