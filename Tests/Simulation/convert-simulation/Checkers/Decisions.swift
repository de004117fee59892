/// The variations that visitors saw, over all servers and restarts.
struct Decisions {
    /// A visitor and an experience.
    struct Place: Hashable {
        let visitor: String
        let experience: String
    }

    /// A visitor's variation of an experience.
    private struct Decision {
        /// By process, what it answered last, and whether that is the last word.
        var answers: [Int: (variation: String, isSure: Bool)] = [:]
        /// All that were answered.
        var variations: Set<String> = []
        /// What an app was promised to be persisted, and when.
        var persisted: (variation: String, time: Int64)?
    }

    /// Whether visitors' records leave the memory, so that they have to be read again.
    private let forgetsVisitors: Bool
    private var decisions: [Place: Decision] = [:]
    /// By process, what it was asked for.
    private var asked: [Int: Set<Place>] = [:]

    init(forgetsVisitors: Bool) { self.forgetsVisitors = forgetsVisitors }

    /// A process is asked for an experience. Returns whether no other call of it asked before and got an answer, or
    /// waits for one.
    mutating func ask(_ place: Place, by owner: Int) -> Bool { asked[owner, default: []].insert(place).inserted }

    /// The process, asked for the first time, had no variation.
    mutating func forgetAsking(_ place: Place, by owner: Int) { asked[owner]?.remove(place) }

    /// A call was answered with a variation.
    ///
    /// *A visitor's variation never changes while config and attributes allow it.* Example: the shares of an experience
    /// change from 10:90 to 50:50; a visitor who saw a variation before still sees it.
    ///
    /// *Contexts of one visitor agree.* Example: two requests of a visitor decide at once, and see one variation. Only
    /// a process that does not know yet what another one stored may have to change its mind, and then to what that one
    /// answered.
    ///
    /// - Parameters:
    ///   - date: as of when the process knew what is stored; `nil` if it did not know.
    ///   - isSure: whether nothing else can turn out to be stored.
    ///   - isLossy: whether the process lost changes.
    mutating func decide(
        _ variation: String, at place: Place, by owner: Int, knowingAsOf date: Int64?, isSure: Bool, isLossy: Bool
    ) {
        let (visitor, experience) = (place.visitor, place.experience)
        var decision = decisions[place] ?? Decision()
        defer { decisions[place] = decision }
        let isKnown = decision.variations.contains(variation)
        decision.variations.insert(variation)
        if let last = decision.answers[owner], last.variation != variation, !isLossy {
            // The visitor's record left the memory, and is being read again.
            if date == nil, forgetsVisitors {
                if !last.isSure { decision.answers[owner] = (variation, false) }
                return
            }
            if last.isSure || !isKnown {
                World.current.fail("\(visitor) sees \(variation) of \(experience) instead of \(last.variation)")
            }
        }
        if let persisted = decision.persisted, let date, persisted.time < date, persisted.variation != variation,
            !isLossy
        {
            World.current.fail("\(visitor) sees \(variation) of \(experience); \(persisted.variation) was persisted")
        }
        decision.answers[owner] = (variation, isSure)
    }

    /// `persisted()` confirmed a decision to an app.
    mutating func persist(_ variation: String, at place: Place, by owner: Int) {
        decisions[place]?.answers[owner] = (variation, true)
        guard let persisted = decisions[place]?.persisted else {
            decisions[place]?.persisted = (variation, World.current.time)
            return
        }
        if persisted.variation != variation {
            World.current.fail(
                "\(variation) of \(place.experience) is persisted for \(place.visitor), as was \(persisted.variation)")
        }
    }

    /// The number of variations that were answered.
    func variationCount(at place: Place) -> Int { decisions[place]?.variations.count ?? 0 }

    /// All decisions ended with their process.
    mutating func forgetAll() { decisions = [:] }
}
