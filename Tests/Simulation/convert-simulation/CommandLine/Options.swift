/// What the command line asks for.
struct Options {
    enum Failure: Error { case usage(String) }

    static let usage = """
        Usage: convert-simulation [--seeds FROM..TO] [--minutes N] [--scheduler jobs|baton] [--plant NAME] \
        [--until-failure]
               convert-simulation --list-plants | --plant-table | --determinism [--seeds FROM..TO]
               convert-simulation --seeds N..N [--without I,J..K] --log

        Runs the whole SDK under each seed. Exits with 1 if one failed.

          --seeds FROM..TO   the seeds; 1..3000 unless said otherwise
          --minutes N        goes on with further seeds until the time is over
          --scheduler NAME   jobs: one job after the other; baton: threads of which one runs
          --workers N        how many processes run at once; 2 unless said otherwise
          --plant NAME       plants a fault, which the seeds are to find
          --until-failure    stops at the first seed that failed
          --list-plants      prints the names of all faults
          --plant-table      prints for each fault how many seeds it took to find it
          --determinism      checks that each seed does the same in a process of its own as behind others
          --digests          prints a hash of what each seed did
          --without I,J..K   leaves steps of the plan out
          --shrink           leaves out as many steps as the failure does not need
          --log              prints what the SDKs log
        """

    enum Mode { case run, listPlants, plantTable, determinism, shrink }

    var seeds = 1...3000
    var minutes: Double?
    var scheduler = "jobs"
    var workers = 2
    var plant: String?
    var stopsAtFailure = false
    var mode = Mode.run
    var printsDigests = false
    var without: Set<Int> = []
    var printsLog = false
    /// Whether this is one of the processes that run seeds.
    var isWorker = false

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            func value() throws(Failure) -> String {
                guard let value = rest.popFirst() else { throw .usage("\(name) needs a value") }
                return value
            }
            switch name {
            case "--seeds": seeds = try Self.range(try value())
            case "--minutes": minutes = Double(try value())
            case "--scheduler": scheduler = try value()
            case "--workers": workers = max(1, Int(try value()) ?? 1)
            case "--plant": plant = try value()
            case "--until-failure": stopsAtFailure = true
            case "--list-plants": mode = .listPlants
            case "--plant-table": mode = .plantTable
            case "--determinism": mode = .determinism
            case "--shrink": mode = .shrink
            case "--digests": printsDigests = true
            case "--without":
                for part in try value().split(separator: ",") { without.formUnion(try Self.range(String(part))) }
            case "--log": printsLog = true
            case "--worker": isWorker = true
            default: throw .usage("\(name) is not known")
            }
        }
        if let plant, !Faults.names.contains(plant) { throw .usage("there is no fault '\(plant)'; see --list-plants") }
        if !["jobs", "baton"].contains(scheduler) { throw .usage("--scheduler is jobs or baton") }
    }

    private static func range(_ text: String) throws(Failure) -> ClosedRange<Int> {
        let ends = text.split(separator: ".", omittingEmptySubsequences: true).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last, ends.count <= 2
        else { throw .usage("'\(text)' is no range such as 1..3000") }
        return first...last
    }

    /// The arguments of a process that runs `seeds`.
    func arguments(for seeds: ClosedRange<Int>, without: Set<Int>? = nil) -> [String] {
        var arguments = ["--seeds", "\(seeds.lowerBound)..\(seeds.upperBound)", "--scheduler", scheduler]
        if let plant { arguments += ["--plant", plant] }
        let without = without ?? self.without
        if !without.isEmpty { arguments += ["--without", without.sorted().map(String.init).joined(separator: ",")] }
        return arguments
    }
}
