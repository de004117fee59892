import Foundation

/// The measurements of both yardsticks.
struct YardstickReading {
    /// The relative difference above which the yardsticks disagree.
    private static let tolerance = 0.15

    let chain: [Sample]
    let branchy: [Sample]

    private init(chain: [Sample], branchy: [Sample]) {
        self.chain = chain
        self.branchy = branchy
    }

    init(_ measuring: Measuring) throws {
        chain = try measuring.samples(of: Yardstick.workload)
        branchy = try measuring.samples(of: Yardstick.branchy)
    }

    static func + (left: YardstickReading, right: YardstickReading) -> YardstickReading {
        YardstickReading(chain: left.chain + right.chain, branchy: left.branchy + right.branchy)
    }

    /// How many times slower this machine is than the machine on which the peers were recorded.
    var scale: Double { chain.quietProcessorTime / Yardstick.reference }

    /// Whether other processes slowed down one kind of work more than the other.
    var disagrees: Bool { abs(branchyScale / scale - 1) > Self.tolerance }

    /// A warning if the yardsticks disagree, otherwise `nil`.
    var warning: String? {
        guard disagrees else { return nil }
        return String(
            format: "The yardsticks disagree: × %.2f by the chain, × %.2f by the branches. Measure on a quiet machine.",
            scale, branchyScale)
    }

    private var branchyScale: Double { branchy.quietProcessorTime / Yardstick.branchyReference }
}
