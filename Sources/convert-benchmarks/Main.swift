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
        case .json(let workloads, let repetitions):
            for workload in workloads {
                for sample in try Measuring(inputs: inputs, repetitions: repetitions).samples(of: workload) {
                    print(Report.json(workload, sample))
                }
            }
        case .table(let workloads): try printTable(workloads, inputs)
        }
    }

    private static func printTable(_ workloads: [Workload], _ inputs: Inputs) throws {
        let measuring = Measuring(inputs: inputs)
        let peers = try Peers(inputs)
        print(Report.header)
        // The speed of a shared machine changes, so the yardsticks are measured before and after each workload.
        var before = try YardstickReading(measuring)
        var all = before
        for workload in workloads where !Yardstick.workloads.map(\.id).contains(workload.id) {
            let samples = try measuring.samples(of: workload)
            let after = try YardstickReading(measuring)
            print(Report(peers: peers, yardstick: before + after).line(workload, samples))
            before = after
            all = all + after
        }
        let report = Report(peers: peers, yardstick: all)
        for (yardstick, samples) in [(Yardstick.workload, all.chain), (Yardstick.branchy, all.branchy)] {
            print(report.line(yardstick, samples))
        }
        print(
            "Times of peers and goals are scaled by the yardstick around each workload; × 1 is "
                + "\(Yardstick.reference) ns of the chain, \(Yardstick.branchyReference) ns of the branches.")
        print("A median with '?' was measured while others used the machine.")
        if let warning = all.warning { print(warning) }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("convert-benchmarks: \(message)\n".utf8))
        exit(status)
    }
}
