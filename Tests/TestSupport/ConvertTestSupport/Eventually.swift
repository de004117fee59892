/// Looks now and then whether `condition` holds; `false` if it still does not after 30,000 looks, five minutes or more.
///
/// Looks are counted, not seconds: beside tests that keep all threads busy, each look waits in the same line as the
/// work that it waits for. They come less often with time, since hundreds of tests wait beside each other.
package func eventually(_ condition: () async -> Bool) async -> Bool {
    for look in 0..<30_000 {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(look < 20 ? 2 : look < 100 ? 5 : 10))
    }
    return await condition()
}
