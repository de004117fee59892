/// Looks every few milliseconds whether `condition` holds; `false` if it still does not after 5000 looks, 10 seconds or
/// more.
///
/// Looks are counted, not seconds: beside tests that keep all threads busy, each look waits in the same line as the work
/// that it waits for.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<5000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return condition()
}
