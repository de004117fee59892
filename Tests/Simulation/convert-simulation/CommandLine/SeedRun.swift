import CConvertSimulation
import ConvertConcurrency
import Foundation

/// Runs seeds in this process, one after the other, and prints a line for each.
struct SeedRun {
    let options: Options

    /// The line of a seed.
    struct Line {
        let seed: Int
        let digest: String
        let failure: String?

        init(seed: Int, digest: String, failure: String?) {
            self.seed = seed
            self.digest = digest
            self.failure = failure
        }

        init?(_ text: Substring) {
            let parts = text.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count >= 3, parts[0] == "seed", let seed = Int(parts[1]) else { return nil }
            self.init(seed: seed, digest: String(parts[2]), failure: parts.count > 3 ? String(parts[3]) : nil)
        }

        var text: String { (["seed", "\(seed)", digest] + (failure.map { [$0] } ?? [])).joined(separator: "\t") }
    }

    func run() {
        #if Simulation
        PlantedFault.name = options.plant ?? ""
        #endif
        #if DEBUG || Simulation
        Invariant.didBreak = { World.current.fail("a promise of the product's own code is broken: \($0)") }
        #endif
        let folder = Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        World.takeOver(folder: folder, threadCount: options.scheduler == "baton" ? 4 : 0)
        // What a process makes once is made before the first seed, so that all seeds find the same.
        for seed in [-1, -2] { _ = run(seed, in: folder) }
        for seed in options.seeds {
            // A seed that stands still is ended, and the process that waits for it sees that.
            alarm(120)
            print(run(seed, in: folder).text)
            fflush(nil)
        }
        simulation_set_on(false)
    }

    private func run(_ seed: Int, in folder: String) -> Line {
        let simulation = Simulation(
            seed: seed, without: options.without, folder: "\(folder)/\(seed)",
            hasBaton: seed > 0 && options.scheduler == "baton", printsLog: options.printsLog && seed > 0)
        let outcome = simulation.run()
        return Line(seed: seed, digest: outcome.digest, failure: outcome.failure)
    }

    private static func makeFolder() -> String {
        let memory = "/dev/shm"
        let place = access(memory, W_OK) == 0 ? memory : NSTemporaryDirectory()
        // Of one length, whatever the process's number: where texts are stored depends on it.
        let folder = "\(place)/convert-simulation-\(10_000_000 + Int(getpid()))"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
