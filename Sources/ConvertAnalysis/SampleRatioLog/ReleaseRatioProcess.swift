/// Combines the evidence of an experience's visitors together and of each config's visitors alone, in one test that
/// holds at every look.
///
/// A release that breaks something is hidden for a while by the visitors before it, and a defect that one release
/// corrects is hidden by those after it. So half of the capital is bet on all visitors and half on those of single
/// configs: 1/n(n+1) of it on the n-th config that comes, which sums to 1 however many there will be. Each part is a
/// martingale, so that their sum is one, and exceeds 1/α with a chance of at most α by Ville's inequality (1939).
///
/// If there is only one config, its visitors are all visitors, and nothing is split. With a second config given but not
/// yet in use, the sum is at least 3/4 of the undivided test. So looks before and after a second config is given err
/// with a chance of at most 4/3 α together.
struct ReleaseRatioProcess: Sendable {
    /// The process of all visitors.
    private(set) var whole: RatioProcess
    /// If there are several configs, the processes of each config's visitors, by the config's number, in the order of
    /// first use.
    private var separate = RatioProcesses<Int>()
    /// The capital bet on configs with its gains, and the capital reserved for later configs.
    private var configWealth = 1.0
    /// The largest wealth so far.
    private(set) var largest = 1.0
    private let isSplit: Bool

    /// Creates a test of an experience with `arms` arms, for a log whose visitors were decided by `count` configs.
    init(arms: Int, configs count: Int) {
        whole = RatioProcess(arms: arms)
        isSplit = count > 1
    }

    /// The processes of each config's visitors, with the config's number, in the order of first use.
    var configs: [(number: Int, process: RatioProcess)] {
        if isSplit { return zip(separate.names, separate.processes).map { ($0, $1) } }
        // The visitors of the only config are all visitors.
        return whole.count > 0 ? [(0, whole)] : []
    }

    /// The probability of ever seeing as much evidence if the shares are right. It never rises.
    var p: Double { RatioProcess.probability(largest) }

    /// Whether the counts have contradicted the shares at any time.
    var isMismatch: Bool { p < SampleRatioTest.threshold }

    /// The factor for the probability of the config at `place`, counted from 0 in the order of first use. With it, all
    /// configs and the whole together err as seldom as one test.
    func correction(ofConfigAt place: Int) -> Double { isSplit ? 2 / capital(ofConfigAt: place) : 1 }

    private func capital(ofConfigAt place: Int) -> Double { 1 / Double((place + 1) * (place + 2)) }

    /// Adds a visitor with the variation `arm`, whose config allocates `shares`, which sum to 1.
    ///
    /// - Returns: whether the test becomes a mismatch with this visitor.
    mutating func add(_ arm: Int, _ shares: [Double], config: Int) -> Bool {
        whole.add(arm, shares)
        let wealth: Double
        if isSplit {
            let addition = separate.add(arm, shares, to: config)
            // An infinite wealth stays infinite.
            if configWealth.isFinite { configWealth += capital(ofConfigAt: addition.place) * addition.effect.gain }
            wealth = (whole.wealth + configWealth) / 2
        } else {
            wealth = whole.wealth
        }
        guard wealth > largest else { return false }
        let wasMismatch = isMismatch
        largest = wealth
        return !wasMismatch && isMismatch
    }
}
