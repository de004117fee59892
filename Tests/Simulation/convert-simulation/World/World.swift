import CConvertSimulation
import ConvertTestSupport

/// Simulated time, and everything that waits to run in it. One thread runs one thing after the other, in an order that a seed
/// decides.
///
/// What runs belongs to an owner, a process of the simulated world, and so does everything that it begins. To kill the process
/// is to forget what it owns.
final class World {
    private enum Work {
        case job(UnsafeMutableRawPointer)
        case call(UnsafeMutableRawPointer?, @convention(c) (UnsafeMutableRawPointer?) -> Void)
        case body(() -> Void)
    }

    private struct Item {
        let work: Work
        let owner: Int
        /// The serial queue that it is on, or `nil`.
        let queue: UnsafeMutableRawPointer?
        let number: Int
    }

    /// The one that runs.
    nonisolated(unsafe) static var current = World(seed: 0)

    /// The owner of what is nobody's process: the simulation itself.
    static let outside = 0
    /// Where the clocks stand when a seed begins: later than the product's own origin of time.
    private static let start: Int64 = 100_000_000_000_000
    /// A seed that takes more steps does not come to rest.
    private static let stepLimit = 3_000_000

    /// What is hashed of all that happens.
    var trace = Trace()
    /// What failed first, in words.
    private(set) var failure: String?
    /// Receives the steps on files.
    var disk: ((simulation_step, String, UnsafeRawPointer?, Int64, Int64) -> Int64)?
    /// Called after everything that ran.
    var afterStep: (() -> Void)?

    private(set) var owner = World.outside
    private var dead: Set<Int> = []
    private var ready: [Item] = []
    /// What waits behind the first one of a serial queue.
    private var lines: [UnsafeMutableRawPointer: [Item]] = [:]
    /// The latest first.
    private var timers: [(time: Int64, item: Item)] = []
    private var lastNumber = 0
    private var stepCount = 0
    private var schedule: SeededGenerator
    private var bytes: SeededGenerator

    init(seed: Int) {
        schedule = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 3 &+ 1)
        bytes = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 5 &+ 2)
    }

    /// Nanoseconds since the seed began.
    var time: Int64 { simulation_time() - Self.start }

    /// Makes this the world, with its clocks at the beginning.
    func begin() {
        Self.current = self
        simulation_set_time(Self.start)
    }

    /// Notes that the seed failed.
    func fail(_ message: String) {
        // What fails after that may fail because of it.
        if failure == nil { failure = "\(message) (at \(Double(time / 1_000_000) / 1000) s)" }
    }

    // MARK: What waits

    /// Runs `body` as `owner` at `time`, nanoseconds since the seed began.
    func at(_ time: Int64, as owner: Int = World.outside, _ body: @escaping () -> Void) {
        enqueue(.body(body), on: nil, at: Self.start + max(time, self.time), as: owner)
    }

    /// Runs `body` now as `owner`, so that what it begins is the owner's.
    func run(as owner: Int, _ body: () -> Void) {
        let previous = self.owner
        self.owner = owner
        body()
        self.owner = previous
    }

    /// Forgets what the owner has begun, and whatever it begins from now on.
    func kill(_ owner: Int) {
        dead.insert(owner)
        timers.removeAll { $0.item.owner == owner }
        for queue in lines.keys { lines[queue]?.removeAll { $0.owner == owner } }
        let left = ready.filter { $0.owner == owner }
        ready.removeAll { $0.owner == owner }
        for item in left { advance(item.queue) }
    }

    /// Whether anything of the owner's waits.
    func hasWork(of owner: Int) -> Bool {
        ready.contains { $0.owner == owner } || timers.contains { $0.item.owner == owner }
    }

    private func enqueue(_ work: Work, on queue: UnsafeMutableRawPointer?, at time: Int64, as owner: Int) {
        if dead.contains(owner) { return }
        lastNumber += 1
        let item = Item(work: work, owner: owner, queue: queue, number: lastNumber)
        if time <= simulation_time() { return release(item) }
        // Who sleeps until a time between two nanoseconds would wake too early, find that out, and sleep again for ever.
        let time = time > .max - 1000 ? time : (time + 999) / 1000 * 1000
        let place = timers.firstIndex { $0.time < time } ?? timers.count
        timers.insert((time, item), at: place)
    }

    private func release(_ item: Item) {
        guard let queue = item.queue else { return ready.append(item) }
        if lines[queue] == nil {
            lines[queue] = []
            ready.append(item)
        } else {
            lines[queue]?.append(item)
        }
    }

    /// Lets the next one of a serial queue run.
    private func advance(_ queue: UnsafeMutableRawPointer?) {
        guard let queue, let line = lines[queue] else { return }
        if let next = line.first {
            lines[queue]?.removeFirst()
            ready.append(next)
        } else {
            lines[queue] = nil
        }
    }

    // MARK: Running

    /// Runs what is due until `end`, nanoseconds since the seed began, or until `isDone`.
    func run(until end: Int64, orUntil isDone: () -> Bool = { false }) {
        while failure == nil, !isDone(), step(until: Self.start + end) {
            stepCount += 1
            if stepCount > Self.stepLimit { fail("the seed does not come to rest") }
        }
    }

    private func step(until end: Int64) -> Bool {
        releaseTimers()
        if ready.isEmpty {
            guard let next = timers.last, next.time <= end else {
                simulation_set_time(max(end, simulation_time()))
                return false
            }
            simulation_set_time(next.time)
            releaseTimers()
        }
        let index = schedule.int(0...ready.count - 1)
        let item = ready.remove(at: index)
        trace.note(item.number, item.owner, Int(truncatingIfNeeded: simulation_time()))
        owner = item.owner
        switch item.work {
        case .job(let job): simulation_run_job(job)
        case .call(let context, let function): function(context)
        case .body(let body): body()
        }
        owner = Self.outside
        advance(item.queue)
        afterStep?()
        // Time goes on while something could run, or those who come later would never meet those who came before.
        let pause = schedule.happens(6) ? schedule.int(0...5_000_000) : schedule.int(0...20_000)
        simulation_set_time(simulation_time() + Int64(pause))
        return true
    }

    private func releaseTimers() {
        while let next = timers.last, next.time <= simulation_time() {
            timers.removeLast()
            release(next.item)
        }
    }

    // MARK: The system's place

    /// Puts the current world in the place of the system, for good.
    static func takeOver(folder: String) {
        let hooks = simulation_hooks(
            enqueue_job: { job in
                guard let job else { return }
                let world = World.current
                world.enqueue(.job(job), on: nil, at: simulation_time(), as: world.owner)
            },
            enqueue_call: { queue, time, context, function in
                guard let function else { return }
                let world = World.current
                world.enqueue(.call(context, function), on: queue, at: time, as: world.owner)
            },
            fill: { bytes, count in
                guard let bytes else { return }
                for place in 0..<count {
                    let byte = UInt8(truncatingIfNeeded: World.current.bytes.next())
                    bytes.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
                }
            },
            sleep: { simulation_set_time(simulation_time() + $0) },
            disk: { step, path, bytes, count, offset in
                guard let path, let disk = World.current.disk else { return count }
                return disk(step, String(cString: path), bytes, count, offset)
            },
            uncovered: { name in
                World.current.fail(
                    "\(name.map { String(cString: $0) } ?? "a function") is not covered by the simulation")
            })
        simulation_start(hooks, folder)
    }
}
