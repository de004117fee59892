/// What a scenario found wrong.
struct Check {
    private(set) var failures: [String] = []

    mutating func expect(_ holds: Bool, _ claim: String) {
        if !holds { failures.append(claim) }
    }
}
