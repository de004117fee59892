import ConvertTestServer

/// Looks every few milliseconds whether `condition` holds; `false` if it still does not after a minute, which leaves time
/// for the heaviest of the tests that run beside.
func eventually(_ condition: () -> Bool) async -> Bool { await eventually(atMost: 60, condition) }
