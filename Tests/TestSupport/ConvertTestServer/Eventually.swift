/// Looks every few milliseconds whether `condition` holds; `false` if it still does not after `seconds`.
public func eventually(atMost seconds: Double = 300, _ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !condition() {
        if ContinuousClock.now >= end { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
