import ConvertAnalysis
import ConvertConcurrency
import ConvertECMAScript
import ConvertSwiftSDKCore
import Foundation

/// Decisions for whole populations: the assignment of lines, as in `convert-sdk assign`, and a simulation with
/// generated visitors.
struct AssignPopulation: Sendable {
    static let workloads = [
        Workload(
            id: "assign", summary: "read a visitor's line, decide five experiences, write a line", goal: 4000,
            expected: demoCheck,
            runner: .timed(operations: rowCount) { inputs in
                let assign = try AssignPopulation(inputs.demoConfig(), lines: demoLines, environment: "staging")
                return { try assign.run(threads: 1) }
            }),
        TwoThreads.workload(id: "assign-x2", of: "assign", operations: rowCount, goal: 1.8, expected: demoCheck) {
            inputs in
            let assign = try AssignPopulation(inputs.demoConfig(), lines: demoLines, environment: "staging")
            return { _ in (try? assign.run(threads: 1)) ?? "" }
        },
        Workload(
            id: "assign-W2", summary: "the same with W2's 100 experiences and 20 attributes", goal: 16_667,
            expected: "1000 rows, 1781680 bytes, sum 132727835",
            runner: .timed(operations: 1000) { inputs in
                let sets = try inputs.attributeSets("w2-attributes.json")
                let lines = (0..<1000).map {
                    PopulationVisitor(visitorID: "w2-v\($0)", attributes: sets[$0 % sets.count]).json + "\n"
                }
                let assign = try AssignPopulation(
                    inputs.data("w2-config.json"), lines: lines.joined(), environment: "production")
                return { try assign.run(threads: 1) }
            }),
        Workload(
            id: "simulate", summary: "generate a visitor from the rules, decide five experiences, count", goal: 5000,
            expected: "20000/20000, 1965/789, 14200/14200, 0/0, 0/0",
            runner: .timed(operations: rowCount) { inputs in
                let simulation = PopulationSimulation(try ProjectConfig(json: inputs.demoConfig()))
                return {
                    let report = simulation.generate(rowCount, seed: 1)
                    return report.experiences.map { "\($0.eligible)/\($0.bucketed)" }.joined(separator: ", ")
                }
            }),
    ]

    private static let rowCount = 20_000
    private static let demoCheck = "20000 rows, 3465427 bytes, sum 310069939"

    /// Lines with five attributes each. Two of three lines also have a location.
    private static let demoLines: String = {
        let countries = ["de", "at", "ch", "fr", "us", "uk", "it"]
        let mails = ["a@demo-shop.example", "bob@mail.example", "carl@other.example"]
        let plans = ["insider-plus", "free", "pro", "basic"]
        let paths = ["/checkout/1", "/products/7"]
        return (0..<rowCount).map { row in
            let attributes: JSObject = [
                "orders": .integer(row % 6), "shipping_country": .string(countries[row % countries.count]),
                "email": .string(mails[row / 7 % mails.count]), "plan": .string(plans[row / 21 % plans.count]),
                "customer_id": .string("c\(row)"),
            ]
            let location: JSObject? = row % 3 == 0 ? nil : ["path": .string(paths[row / 3 % paths.count])]
            return PopulationVisitor(visitorID: "visitor-\(row)", attributes: attributes, locationProperties: location)
                .json + "\n"
        }.joined()
    }()

    private let assignment: PopulationAssignment
    private let input: [UInt8]

    private init(_ config: Data, lines: String, environment: String) throws {
        var options = PopulationAssignment.Options()
        options.environment = environment
        assignment = try PopulationAssignment(try ProjectConfig(json: config), options: options)
        input = Array(lines.utf8)
    }

    /// Assigns all rows.
    private func run(threads: Int) throws -> String {
        let readCount = Mutex(0)
        let written = Mutex((count: 0, sum: 0))
        let tally = try unsafe assignment.run(
            .jsonLines, threads: threads,
            read: { buffer in
                readCount.withLock { start in
                    // Safe: the copied range is within both buffers.
                    let count = min(buffer.count, input.count - start)
                    unsafe input.withUnsafeBytes {
                        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
                    }
                    start += count
                    return count
                }
            },
            write: { bytes in
                written.withLock { written in
                    written.count += bytes.count
                    written.sum = unsafe bytes.reduce(written.sum) { $0 &+ Int($1) }
                }
            })
        let (count, sum) = written.withLock { $0 }
        return "\(tally.recordCount) rows, \(count) bytes, sum \(sum)"
    }
}
