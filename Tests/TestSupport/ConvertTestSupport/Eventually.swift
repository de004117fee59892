/// Looks every few milliseconds whether `condition` holds; `false` if it still does not after five minutes, which are for
/// machines that do much else.
package func eventually(_ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while await !condition() {
        if ContinuousClock.now >= end { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
