/// The parsed command line.
struct Arguments {
    enum Action {
        case help, list, generate
        case table([Workload])
        case json([Workload], repetitions: Int?)
        case sample(Workload)
    }

    let action: Action
    let inputs: String?

    static let help = """
        usage: convert-benchmarks [ID…] [--json] [--repetitions N] [--inputs DIR]

        Measures the named workloads, or all workloads, and checks their answers. The table compares the lower quartile
        of processor time with recorded times of other engines and with the goals. A yardstick scales both to this
        machine. A second yardstick shows whether other processes slow down only some kinds of work.

          --json           print one JSON line per repetition instead of the table
          --repetitions N  with --json: run each workload N times, without warming up
          --inputs DIR     read the inputs from DIR instead of the package's TestVectors/workloads
          --list           list the workloads
          --generate       print the config of G2-1000, which is not stored
          --help           print this

        Exit status: 0 if all answers were right, 1 if one was wrong or an input is missing, 2 for a usage error.
        """

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var named: [Workload] = []
        var flag: String?
        var inputs: String?
        var repetitions: Int?
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--inputs":
                guard let directory = rest.next() else { throw UsageError("--inputs needs a folder") }
                inputs = directory
            case "--repetitions":
                guard let count = rest.next().flatMap({ Int($0) }), count > 0 else {
                    throw UsageError("--repetitions needs a positive number")
                }
                repetitions = count
            case "--json", "--list", "--generate", "--help", FreshProcess.option:
                flag = argument
            default:
                guard let workload = Catalogue.workload(argument) else {
                    throw UsageError("unknown workload or option '\(argument)'; --list shows the workloads")
                }
                named.append(workload)
            }
        }
        self.inputs = inputs
        let workloads = named.isEmpty ? Catalogue.workloads : named
        action =
            switch flag {
            case "--help": .help
            case "--list": .list
            case "--generate": .generate
            case "--json": .json(workloads, repetitions: repetitions)
            case FreshProcess.option: .sample(workloads[0])
            default: .table(workloads)
            }
    }
}

/// An error in the command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
