/// Two kinds of work for comparing machines. Other processes on a shared machine slow them down differently.
enum Yardstick {
    /// The nanoseconds per round of the chain on the machine on which the peers were recorded.
    static let reference = 4.10

    /// The nanoseconds per byte of the branches on a machine where the chain takes ``reference``.
    static let branchyReference = 6.4

    /// A chain of dependent multiplications, which compilers cannot shorten and other processes hardly slow down.
    static let workload = Workload(
        id: "yardstick", summary: "one round of MurmurHash3's 64-bit finalizer", expected: "7458906013232740190",
        runner: .timed(operations: rounds) { _ in
            { String(chain(rounds)) }
        })

    /// Work that resembles decisions: independent loads, comparisons and unpredictable branches.
    static let branchy = Workload(
        id: "yardstick-branchy", summary: "one byte of mixed text put into its class",
        expected: "10639400 letters, 2039700 digits, 540809000 in spaces, 6316600 runs",
        runner: .timed(operations: bytes.count * 100) { _ in
            {
                var counts = ByteClasses()
                for _ in 0..<100 { counts.count(bytes) }
                return "\(counts)"
            }
        })

    static let workloads = [workload, branchy]

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

    /// Pseudorandom bytes, too many for a branch predictor to learn.
    private static let bytes: [UInt8] = {
        var state: UInt64 = 1
        return (0..<1 << 18).map { _ in
            state = mix(state &+ 1)
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }()
}

/// The number of bytes of each class in a text.
private struct ByteClasses: CustomStringConvertible {
    private var letters = 0
    private var digits = 0
    private var spaces = 0
    private var runs = 0

    mutating func count(_ bytes: [UInt8]) {
        var isRun = false
        for byte in bytes {
            switch byte & 0x7f {
            case 0x30...0x39: digits &+= 1
            case 0x41...0x5a, 0x61...0x7a:
                letters &+= 1
                if !isRun { runs &+= 1 }
                isRun = true
                continue
            case 0...0x20: spaces &+= Int(byte)
            default: break
            }
            isRun = false
        }
    }

    var description: String { "\(letters) letters, \(digits) digits, \(spaces) in spaces, \(runs) runs" }
}
