import Foundation

/// What both yardsticks took.
struct YardstickReading {
    /// Beyond this share the two disagree.
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

    /// How much slower this machine is than the one that recorded the peers.
    var scale: Double { chain.quietProcessorTime / Yardstick.reference }

    /// Whether neighbours slowed one kind of work down and not the other.
    var disagrees: Bool { abs(branchyScale / scale - 1) > Self.tolerance }

    /// What to make of the figures if the two disagree.
    var warning: String? {
        guard disagrees else { return nil }
        return String(
            format: "The yardsticks disagree: × %.2f by the chain, × %.2f by the branches. Measure on a quiet machine.",
            scale, branchyScale)
    }

    private var branchyScale: Double { branchy.quietProcessorTime / Yardstick.branchyReference }
}
