import Foundation

/// `convert-benchmarks [ID…] [--json] [--inputs DIR]`: measures the workloads and checks their answers.
@main
enum Main {
    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            try run(arguments)
        } catch let error as UsageError {
            fail(error.description, status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ arguments: Arguments) throws {
        let inputs = Inputs(path: arguments.inputs)
        switch arguments.action {
        case .help: print(Arguments.help)
        case .list: for workload in Catalogue.workloads { print(Report.listing(workload)) }
        case .generate: FileHandle.standardOutput.write(GrowthConfig.json(experiences: 1000, seed: 21_000))
        case .sample(let workload): try FreshProcess.serve(workload, inputs: inputs)
        case .json(let workloads):
            for workload in workloads {
                for sample in try Measuring(inputs: inputs).samples(of: workload) {
                    print(Report.json(workload, sample))
                }
            }
        case .table(let workloads): try printTable(workloads, inputs)
        }
    }

    private static func printTable(_ workloads: [Workload], _ inputs: Inputs) throws {
        let measuring = Measuring(inputs: inputs)
        var yardstick: [Sample] = []
        var measured: [(Workload, [Sample])] = []
        for workload in workloads where workload.id != Yardstick.workload.id {
            // Measured anew before each workload, because a shared machine is not the same one for long.
            yardstick += try measuring.samples(of: Yardstick.workload)
            measured.append((workload, try measuring.samples(of: workload)))
        }
        if workloads.contains(where: { $0.id == Yardstick.workload.id }) || yardstick.isEmpty {
            yardstick += try measuring.samples(of: Yardstick.workload)
            measured.insert((Yardstick.workload, yardstick), at: 0)
        }
        let scale = yardstick.undisturbed.median / Yardstick.reference
        let report = Report(peers: try Peers(inputs), scale: scale)
        print(Report.header)
        for (workload, samples) in measured { print(report.line(workload, samples)) }
        print(String(format: "Times of peers and goals are scaled by the yardstick: × %.2f.", scale))
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("convert-benchmarks: \(message)\n".utf8))
        exit(status)
    }
}
