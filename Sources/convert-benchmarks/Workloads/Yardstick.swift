/// A chain that no compiler shortens, by which machines are compared.
enum Yardstick {
    /// Nanoseconds a round where the peers were recorded.
    static let reference = 4.10

    static let workload = Workload(
        id: "yardstick", summary: "one round of MurmurHash3's 64-bit finalizer", expected: "7458906013232740190",
        runner: .timed(operations: rounds) { _ in
            { String(chain(rounds)) }
        })

    private static let rounds = 50_000_000

    private static func chain(_ rounds: Int) -> UInt64 {
        var x: UInt64 = 1
        for _ in 0..<rounds { x = mix(x &+ 1) }
        return x
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var x = value
        x = (x ^ (x >> 33)) &* 0xff51_afd7_ed55_8ccd
        x = (x ^ (x >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return x ^ (x >> 33)
    }
}
