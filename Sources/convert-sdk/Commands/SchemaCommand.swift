/// `convert-sdk schema`.
struct SchemaCommand: Command {
    static let declaration = CommandDeclaration(
        name: "schema", summary: "print the JSON Schema of a document",
        discussion: """
            Prints a JSON Schema (2020-12) for editors, validators and code generators. Without NAME it lists the \
            documents that have one.
            """,
        operands: CommandDeclaration.Operands(
            name: "NAME", meaning: "a document", count: 0...1,
            candidates: .names { SchemaName.allCases.map(\.rawValue) }),
        remarks: """
            The schemas are stricter than the SDK: a config that the schema refuses may still be read, with a \
            diagnostic or as the JavaScript SDK reads it. 'convert-sdk lint' finds more than a schema can say.
            """)

    private let name: SchemaName?

    init(_ arguments: Arguments) throws {
        name = try arguments.operands.first.map { try Arguments.choice($0, for: "schema", of: SchemaName.self) }
    }

    func run() -> ExitCode {
        if let name {
            Console.print(json: name.json)
        } else {
            Console.printTable([["NAME", "DOCUMENT"]] + SchemaName.allCases.map { [$0.rawValue, $0.summary] })
        }
        return .done
    }
}
