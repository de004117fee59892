/// Looks every few milliseconds whether `condition` holds; `false` if it still does not after 150,000 looks, five minutes or
/// more.
///
/// Looks are counted, not seconds: beside tests that keep all threads busy, each look waits in the same line as the work
/// that it waits for.
package func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<150_000 {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return await condition()
}
