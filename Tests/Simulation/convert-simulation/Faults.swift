/// The faults that can be planted into the product, see `PlantedFault`.
enum Faults {
    /// The names, and what each fault does.
    static let all: KeyValuePairs<String, String> = [
        "retry-dropped": "a request that failed is not queued again",
    ]

    static var names: [String] { all.map(\.key) }
}
