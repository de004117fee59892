import CConvertSimulation
import ConvertTestSupport

/// Simulated time, and everything that waits to run in it, one thing after the other, in an order that a seed decides.
///
/// By default one thread runs each thing to its end. With a baton several threads do, of which one runs: it hands the
/// baton on where it takes a lock, so that others run between two critical sections of one call.
///
/// What runs belongs to an owner, a process of the simulated world, and so does everything that it begins. To kill the
/// process is to forget what it owns.
final class World {
    fileprivate enum Work {
        case job(UnsafeMutableRawPointer)
        case call(UnsafeMutableRawPointer?, @convention(c) (UnsafeMutableRawPointer?) -> Void)
        case body(() -> Void)
    }

    fileprivate struct Item {
        let work: Work
        let owner: Int
        /// The serial queue that it is on, or `nil`.
        let queue: UnsafeMutableRawPointer?
        let number: Int
    }

    /// The one that runs.
    nonisolated(unsafe) static var current = World(seed: 0)

    /// The owner of work that belongs to no process: the simulation itself.
    static let outside = 0
    /// Where the clocks stand when a seed begins: later than the product's own origin of time.
    private static let start: Int64 = 100_000_000_000_000
    /// A seed that takes more steps does not come to rest.
    private static let stepLimit = 3_000_000

    /// The threads that hand a baton on; 0 for none.
    nonisolated(unsafe) private static var threadCount = 0

    /// What is hashed of all that happens.
    var trace = Trace()
    /// Whether what happens is printed.
    var isLoud = false
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
    /// Threads that run nothing.
    private var idle: [Int32] = []
    /// Threads that wait for the baton, with what they run and as which owner: the end of a process may start the next
    /// one.
    private var paused: [(thread: Int32, item: Item, owner: Int)] = []
    /// Processes that do nothing, with the time until when, and what they would do.
    private var stalls: [Int: Int64] = [:]
    private var stalled: [Item] = []
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
    ///
    /// - Parameter hasBaton: whether the threads hand on a baton, if there are any.
    func begin(hasBaton: Bool) {
        Self.current = self
        if hasBaton { idle = Array(0..<Int32(Self.threadCount)) }
        simulation_set_time(Self.start)
    }

    /// Prints what happens, if that is wanted.
    func say(_ text: @autoclosure () -> String) {
        if isLoud { print("\(Double(time / 1_000_000) / 1000) s, process \(owner): \(text())") }
    }

    /// Notes that the seed failed.
    func fail(_ message: String) {
        // What fails after that may fail because of it.
        if failure == nil { failure = "\(message) (at \(Double(time / 1_000_000) / 1000) s)" }
    }

    /// Checks that what runs does so as `owner`: what a process does as another one outlives it.
    func expect(_ owner: Int) {
        if self.owner != owner { fail("process \(owner) runs as process \(self.owner)") }
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
        let left = (ready + stalled).filter { $0.owner == owner }
        ready.removeAll { $0.owner == owner }
        stalled.removeAll { $0.owner == owner }
        stalls[owner] = nil
        for item in left { advance(item.queue) }
    }

    /// Lets the owner do nothing until `time`, nanoseconds since the seed began.
    func stall(_ owner: Int, until time: Int64) {
        if dead.contains(owner) { return }
        stalls[owner] = max(stalls[owner] ?? 0, Self.start + time)
        stalled += ready.filter { $0.owner == owner }
        ready.removeAll { $0.owner == owner }
    }

    private func endStalls() {
        if stalls.isEmpty { return }
        for (owner, end) in stalls where end <= simulation_time() {
            stalls[owner] = nil
            ready += stalled.filter { $0.owner == owner }
            stalled.removeAll { $0.owner == owner }
        }
    }

    private func makeReady(_ item: Item) {
        if stalls[item.owner] == nil { ready.append(item) } else { stalled.append(item) }
    }

    /// Whether anything of the owner's waits.
    func hasWork(of owner: Int) -> Bool {
        paused.contains { $0.owner == owner } || ready.contains { $0.owner == owner }
            || timers.contains { $0.item.owner == owner }
    }

    private func enqueue(_ work: Work, on queue: UnsafeMutableRawPointer?, at time: Int64, as owner: Int) {
        if dead.contains(owner) { return }
        lastNumber += 1
        let item = Item(work: work, owner: owner, queue: queue, number: lastNumber)
        if time <= simulation_time() { return release(item) }
        // A sleep until a time between two nanoseconds would end too early, and begin again for ever.
        let time = time > .max - 1000 ? time : (time + 999) / 1000 * 1000
        let place = timers.firstIndex { $0.time < time } ?? timers.count
        timers.insert((time, item), at: place)
    }

    private func release(_ item: Item) {
        guard let queue = item.queue else { return makeReady(item) }
        if lines[queue] == nil {
            lines[queue] = []
            makeReady(item)
        } else {
            lines[queue]?.append(item)
        }
    }

    /// Lets the next one of a serial queue run.
    private func advance(_ queue: UnsafeMutableRawPointer?) {
        guard let queue, let line = lines[queue] else { return }
        if let next = line.first {
            lines[queue]?.removeFirst()
            makeReady(next)
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
        endStalls()
        let running = stalls.isEmpty ? nil : paused.indices.filter { stalls[paused[$0].owner] == nil }
        let pausedCount = running?.count ?? paused.count
        // What is ready needs a thread that is not paused.
        let canBegin = paused.isEmpty || !idle.isEmpty
        let count = pausedCount + (canBegin ? ready.count : 0)
        if count == 0 {
            let next = min(timers.last?.time ?? .max, stalls.values.min() ?? .max)
            guard next <= end else {
                simulation_set_time(max(end, simulation_time()))
                return false
            }
            simulation_set_time(max(next, simulation_time()))
            return true
        }
        let index = schedule.int(0...count - 1)
        if index < pausedCount {
            resume(running?[index] ?? index)
        } else {
            begin(ready.remove(at: index - pausedCount))
        }
        afterStep?()
        // Time goes on while something could run. Otherwise later visits would never meet earlier ones.
        let pause = schedule.happens(6) ? schedule.int(0...5_000_000) : schedule.int(0...20_000)
        simulation_set_time(simulation_time() + Int64(pause))
        return true
    }

    private func begin(_ item: Item) {
        trace.note(item.number, item.owner, Int(truncatingIfNeeded: simulation_time()))
        owner = item.owner
        // The simulation itself waits for nothing.
        if case .body(let body) = item.work {
            body()
            return end(item)
        }
        guard let thread = idle.popLast() else {
            item.run()
            return end(item)
        }
        let call = Unmanaged.passRetained(Unchecked<Item>.Box(item)).toOpaque()
        let isOver = simulation_begin(thread, call) { call in
            guard let call else { return }
            Unmanaged<Unchecked<Item>.Box>.fromOpaque(call).takeRetainedValue().value.run()
        }
        leave(thread, item, isOver)
    }

    /// Gives the baton to the paused thread with the index.
    private func resume(_ index: Int) {
        let (thread, item, owner) = paused.remove(at: index)
        trace.note(item.number)
        self.owner = owner
        leave(thread, item, simulation_resume(thread))
    }

    private func leave(_ thread: Int32, _ item: Item, _ isOver: Bool) {
        if !isOver {
            paused.append((thread, item, owner))
            owner = Self.outside
            return
        }
        idle.append(thread)
        end(item)
    }

    private func end(_ item: Item) {
        owner = Self.outside
        advance(item.queue)
    }

    /// Lets what is on a serial queue run to its end, on the calling thread, and takes the queue's place.
    private func beginCall(on queue: UnsafeMutableRawPointer) {
        while lines[queue] != nil {
            guard let index = ready.firstIndex(where: { $0.queue == queue }) else {
                simulation_hand_on()
                continue
            }
            let (item, caller) = (ready.remove(at: index), owner)
            trace.note(item.number)
            owner = item.owner
            item.run()
            owner = caller
            advance(queue)
        }
        lines[queue] = []
    }

    /// Lets threads of the owner, or all threads, run until none of them waits for the baton.
    func finishThreads(of owner: Int? = nil) {
        var count = 0
        while let index = paused.indices.filter({ owner == nil || paused[$0].owner == owner }).randomElement(
            using: &schedule)
        {
            count += 1
            // One of them waits for a lock that another one's thread has.
            resume(count > 1000 ? schedule.int(0...paused.count - 1) : index)
            if count > 1_000_000 { fatalError("threads wait for each other") }
        }
    }

    private func releaseTimers() {
        while let next = timers.last, next.time <= simulation_time() {
            timers.removeLast()
            release(next.item)
        }
    }

    // MARK: The system's place

    /// Puts the current world in the place of the system, for good.
    ///
    /// - Parameters:
    ///   - folder: whose files are on the simulated disk.
    ///   - threadCount: how many threads hand on a baton; 0 for none.
    static func takeOver(folder: String, threadCount: Int) {
        Self.threadCount = threadCount
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
            hands_on: { World.current.schedule.happens(20) },
            resume_any: {
                let world = World.current
                let owner = world.owner
                if world.paused.isEmpty { fatalError("a lock is held that no thread can release") }
                world.resume(world.schedule.int(0...world.paused.count - 1))
                world.owner = owner
            },
            begin_call: { queue in if let queue { World.current.beginCall(on: queue) } },
            end_call: { queue in World.current.advance(queue) },
            uncovered: { name in
                World.current.fail(
                    "\(name.map { String(cString: $0) } ?? "a function") is not covered by the simulation")
            })
        simulation_start(hooks, folder)
        if threadCount > 0 { simulation_start_baton(Int32(threadCount)) }
    }
}

extension World.Item {
    fileprivate func run() {
        switch work {
        case .job(let job): simulation_run_job(job)
        case .call(let context, let function): function(context)
        case .body(let body): body()
        }
    }
}
