import ConvertAnalysis
import ConvertSwiftSDKCore
import Foundation

/// `convert-sdk assign`.
struct AssignCommand: Command {
    private static let features = OptionDeclaration("--features", "f", "also find the visitors' features")
    private static let reasons = OptionDeclaration("--reasons", "r", "also print the reason of each decision")
    private static let echo = OptionDeclaration(
        "--echo", nil,
        "also print the visitor, the config and how it was decided: a log for 'replay'")
    private static let input = OptionDeclaration(
        "--input", "i", .file, "the visitors; - (default) is standard input")
    private static let format = OptionDeclaration(
        "--format", nil, .choice(PopulationFormat.self, default: .jsonLines), "the format of the input")
    private static let long = OptionDeclaration(
        "--long", "l", "print a row for each decision: visitorId, experience, variation and reason")
    private static let onlyAssigned = OptionDeclaration(
        "--only-assigned", nil, "with --long: leave out decisions without a variation")
    private static let outputFormat = OptionDeclaration(
        "--output-format", nil, .choice(PopulationFormat.self), "the format of the output; csv by default with --long")
    private static let noHeader = OptionDeclaration(
        "--no-header", nil, "print CSV without the first row of names, to join the output of several runs")

    static let declaration = CommandDeclaration(
        name: "assign", summary: "decide experiences for a whole population",
        discussion: """
            Reads visitors, one a line as {"visitorId":…,"attributes":{…},"locationProperties":{…},"stored":{…}}, of \
            which only the id is required, and prints a line for each, in order: \
            {"visitorId":…,"decisions":{"EXPERIENCE":"VARIATION"|null,…}}. Each visitor is decided as 'decide' does; \
            nothing is tracked or stored. Memory does not grow with the input. With --long it prints a row for \
            each decision, for tables of data frames and databases.
            """,
        options: ConfigOption.declarations + [
            CommonOption.experience, features, reasons, echo, long, onlyAssigned, outputFormat, noHeader, input, format,
            CommonOption.threads,
        ],
        remarks: """
            A line that is not a visitor gets a line with 'error', except in CSV; the exit status is then 1. Blank \
            lines are skipped. The \
            output does not depend on the number of threads, nor on how the input is split into runs.
            CSV has a column for each experience, or with --long the columns visitorId, experience, variation and \
            reason. A cell is empty where there is no variation. Only cells with a comma, a quotation mark or a line \
            break are quoted.
            In a CSV file of visitors the first record names the columns, and its comma, semicolon or tab is the \
            separator. visitorId is required; attributes, locationProperties and stored hold JSON objects; \
            locationProperties.NAME is a location property, every other column an attribute, by its name or as \
            attributes.NAME. Such cells are text, which rules compare as a number where it is one; an empty cell is a \
            property that the visitor does not have, "" an empty text. Columns without a name stay empty.
            """)

    private let config: ConfigOption
    private let experiences: [String]
    private let includesFeatures: Bool
    private let includesReasons: Bool
    private let repeatsVisitors: Bool
    private let layout: AssignmentLayout
    private let input: String
    private let format: PopulationFormat
    private let threads: Int

    init(_ arguments: Arguments) throws {
        config = try ConfigOption(arguments)
        experiences = arguments.all(CommonOption.experience)
        includesFeatures = arguments.has(Self.features)
        includesReasons = arguments.has(Self.reasons)
        repeatsVisitors = arguments.has(Self.echo)
        layout = try Self.layout(arguments)
        input = arguments[Self.input] ?? "-"
        format = try arguments.format()
        threads = try arguments.threads()
    }

    private static func layout(_ arguments: Arguments) throws(UsageError) -> AssignmentLayout {
        let isLong = arguments.has(long)
        let format = try arguments.choice(outputFormat, of: PopulationFormat.self) ?? (isLong ? .csv : .jsonLines)
        if !isLong, arguments.has(onlyAssigned) { throw UsageError("\(onlyAssigned.name) goes with \(long.name)") }
        if format != .csv, arguments.has(noHeader) {
            throw UsageError("\(noHeader.name) goes with \(outputFormat.name) csv")
        }
        for option in [features, echo] + (isLong ? [] : [reasons]) where arguments.has(option) {
            if isLong { throw UsageError("\(option.name) and \(long.name) exclude each other; give one of them") }
            if format == .csv { throw UsageError("\(option.name) goes with \(outputFormat.name) jsonl") }
        }
        var layout = AssignmentLayout(
            !isLong ? .visitors : arguments.has(onlyAssigned) ? .assignments : .decisions, format)
        layout.hasHeader = !arguments.has(noHeader)
        return layout
    }

    func run() async throws -> ExitCode {
        var options = PopulationAssignment.Options()
        options.environment = config.decisionEnvironment
        options.experienceKeys = experiences
        options.includesFeatures = includesFeatures
        options.includesReasons = includesReasons
        options.repeatsVisitors = repeatsVisitors
        options.layout = layout
        let assignment: PopulationAssignment
        do {
            let (project, revision) = try await config.loadWithRevision()
            options.configRevision = revision
            assignment = try PopulationAssignment(project, options: options)
        } catch let error as UnknownExperienceError {
            throw UsageError("\(error)")
        }
        let source = try ByteInput(input, for: Self.input.name)
        let tally = try assign(source, by: assignment)
        tally.firstErrors.complain(as: "record")
        if tally.errorCount > 0 {
            Console.complain("\(tally.errorCount) of \(tally.recordCount) records are not valid visitors")
        }
        tally.complainOfIgnoredStored()
        source.endBySignalIfAny()
        return tally.errorCount == 0 ? .done : .answerIsNo
    }

    private func assign(_ source: ByteInput, by assignment: PopulationAssignment) throws -> RecordTally {
        let output = ByteOutput()
        let progress = RowProgress()
        defer { Console.endProgress() }
        return try source.naming {
            // Safe: `ByteInput` and `ByteOutput` stay within the buffers, and use them only during the call.
            try unsafe assignment.run(
                format, threads: threads, read: { try unsafe source.read(into: $0) },
                write: { [isCSV = layout.format == .csv] in
                    if isCSV { try unsafe output.write(cells: $0) } else { try unsafe output.write($0) }
                },
                didWrite: { progress.show($0.recordCount) })
        }
    }
}
