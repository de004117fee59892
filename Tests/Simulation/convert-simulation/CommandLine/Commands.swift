import Foundation

/// What can be asked for, besides a single seed.
struct Commands {
    let options: Options

    /// Does what is asked for. Returns whether all is well.
    func run() -> Bool {
        switch options.mode {
        case .listPlants:
            for name in Faults.names { print(name) }
            return true
        case .plantTable: return printPlantTable()
        case .determinism: return checkDeterminism()
        case .shrink: return shrink()
        case .run: return runSeeds()
        }
    }

    private func runSeeds() -> Bool {
        #if !Simulation
        if options.plant != nil {
            print("Faults can be planted only in a build with --traits Simulation.")
            return false
        }
        #endif
        let progress = Progress()
        let (passed, failed) = Workers(options).run { line in
            if options.printsDigests { print("\(line.seed) \(line.digest)") }
            progress.note(line)
        }
        progress.end()
        for line in failed.prefix(10) { report(line) }
        print("\(passed) passed, \(failed.count) failed")
        return failed.isEmpty
    }

    private func report(_ line: SeedRun.Line) {
        print("seed \(line.seed) failed: \(line.failure ?? "")")
        let arguments = options.arguments(for: line.seed...line.seed).joined(separator: " ")
        print("    convert-simulation \(arguments)        # --log shows what happens, --shrink what is needed for it")
    }

    private func printPlantTable() -> Bool {
        var areAllFound = true
        for (name, meaning) in Faults.all {
            var options = options
            options.plant = name
            options.stopsAtFailure = true
            // Or the number would depend on which of two processes is quicker.
            options.workers = 1
            var found = Workers(options).run { _ in }.failed.first
            var scheduler = ""
            if found == nil, options.scheduler == "jobs" {
                // Some faults show only where two requests truly run at once.
                options.scheduler = "baton"
                scheduler = " by the baton"
                found = Workers(options).run { _ in }.failed.first
            }
            areAllFound = areAllFound && found != nil
            let count = found.map { "\($0.seed - options.seeds.lowerBound + 1)\(scheduler)" } ?? "not found"
            print("| \(name) | \(meaning) | \(count) | \(found?.failure ?? "") |")
            fflush(nil)
        }
        return areAllFound
    }

    private func checkDeterminism() -> Bool {
        let (lines, end) = Workers.lines(of: options, options.seeds)
        if lines.count < options.seeds.count { print("the process ended: \(end)") }
        var differing = 0
        for line in lines {
            let alone = Workers.lines(of: options, line.seed...line.seed).lines.first
            if alone?.digest == line.digest { continue }
            differing += 1
            print("seed \(line.seed) does something else in a process of its own")
        }
        print("\(lines.count - differing) passed, \(options.seeds.count - lines.count + differing) failed")
        return differing == 0 && lines.count == options.seeds.count
    }

    /// Leaves out steps of the first seed's plan, as many at once as the failure allows.
    private func shrink() -> Bool {
        let seed = options.seeds.lowerBound
        // The beginning of the message says which checker found it.
        func failure(without omitted: Set<Int>) -> String? {
            let (lines, end) = Workers.lines(of: options, seed...seed, without: omitted)
            return (lines.first.map { $0.failure } ?? end).map { $0.filter { !$0.isNumber } }.map {
                String($0.prefix(20))
            }
        }
        let wanted = failure(without: [])
        func fails(without omitted: Set<Int>) -> Bool { failure(without: omitted) == wanted }
        if wanted == nil {
            print("seed \(seed) does not fail")
            return false
        }
        let count = Plan(seed: seed).steps.count
        var omitted: Set<Int> = []
        var size = max(1, count / 2)
        while true {
            var place = 0
            while place < count {
                let part = Set(place..<min(count, place + size)).subtracting(omitted)
                if !part.isEmpty, fails(without: omitted.union(part)) { omitted.formUnion(part) }
                place += size
            }
            if size == 1 { break }
            size /= 2
        }
        let plan = Plan(seed: seed)
        print(plan)
        let steps = plan.steps
        for (index, step) in steps.enumerated() where !omitted.contains(index) {
            print("\(Double(step.time) / 1000) s: \(step.action)")
        }
        print("    convert-simulation " + options.arguments(for: seed...seed, without: omitted).joined(separator: " "))
        return false
    }
}

/// How far the seeds are, on a terminal.
private final class Progress: @unchecked Sendable {
    // Sendable: called under the workers' lock.
    private let isTerminal = isatty(2) == 1
    private var count = 0
    private var failedCount = 0

    func note(_ line: SeedRun.Line) {
        count += 1
        if line.failure != nil { failedCount += 1 }
        if isTerminal, count % 10 == 0 { write("\r\(count) seeds, \(failedCount) failed") }
    }

    func end() { if isTerminal { write("\r\u{1b}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
