/// `convert-sdk help`.
enum HelpCommand {
    static func run(_ arguments: [String]) throws -> ExitCode {
        if arguments.count > 1 { throw UsageError("help takes one command; 'convert-sdk help' lists them") }
        switch arguments.first {
        case nil: print(overview)
        case "decide": print(decide)
        case "features": print(features)
        case "regex": print(regex)
        case "rules": print(rules)
        case "vectors": print(vectors)
        case let name?: throw UsageError("no help on '\(name)'; 'convert-sdk help' lists the commands")
        }
        return .done
    }

    private static let overview = """
        Decides experiences and features and runs mobile rules as the SDK does, on files or on what a server has.

        convert-sdk decide --config FILE --visitor ID [OPTION…]   decide experiences for a visitor
        convert-sdk features --config FILE --visitor ID [OPTION…] find a visitor's features
        convert-sdk rules RULES --event FILE|JSON [OPTION…]       put an event to mobile rules
        convert-sdk vectors PATH…                                 replay recorded answers of the reference engines
        convert-sdk regex PATTERN [--flags F] [INPUT…|-]          try a regular expression as JavaScript would
        convert-sdk help [COMMAND]                                this, or more on a command
        convert-sdk --version                                     the version

        Exit codes: 0 done, 1 the answer is no (mismatches), 2 bad usage or input.
        """

    private static let decide = """
        convert-sdk decide --config FILE --visitor ID [OPTION…]

        Decides all experiences of a project config, or the named ones, in order, and prints a table.

        --config FILE          the project config, JSON as the CDN serves it
        --sdk-key KEY          instead of a file: fetch the config of this SDK key
        --endpoint URL         fetch it from here, up to and without config/… (default: the CDN)
        --visitor ID           the visitor's id
        --attribute KEY=TEXT   an attribute of the visitor; may be repeated
        --attributes JSON      attributes of any type, as an object
        --location KEY=TEXT    a location property; may be repeated
        --locations JSON       location properties of any type, as an object
        --experience KEY       decide only this experience; may be repeated
        --environment NAME     the environment to fetch and to decide in (default: staging)
        --semantics NAME       standard (default), javaScript or flat
        --explain              tell every step
        --json                 print JSON, for programs

        What is wrong with the config goes to standard error, one line each.
        """

    private static let features = """
        convert-sdk features --config FILE --visitor ID [OPTION…]

        Finds all features of a project config, or the named ones, and prints a table with their variables.

        --feature KEY          find only this feature; may be repeated
        --uncast               leave variables as they stand in the config
        --json                 print JSON, for programs

        --config, --sdk-key, --endpoint, --visitor, --attribute, --attributes, --location, --locations, --environment and
        --semantics are those of 'convert-sdk decide'.
        """

    private static let regex = """
        convert-sdk regex PATTERN [--flags F] [INPUT…|-]

        Tells whether PATTERN is a regular expression of JavaScript, how it is matched and why so, and what it matches in
        each INPUT, with the captures. '-' reads inputs from standard input, one a line; '--' before a pattern or an input
        that begins with '--'.

        --flags F   any of g, i, m, s, y and d; targeting rules use i, on a value in lower case

        Positions are UTF-16 code units. Exits with 1 if the pattern is invalid, or does not match every input.
        """

    private static let rules = """
        convert-sdk rules RULES --event FILE|JSON [OPTION…]

        Puts an event to mobile rules, then those that it dispatches, and prints the consequences of the matching rules with
        their tokens replaced. RULES is a rules.json, a ZIP archive that holds one, or the https URL of either.

        --event FILE|JSON      the event: {"type": "…", "source": "…", "data": {…}}, data may be left out
        --state FILE|JSON      shared states by name: {"com.example.module": {…}}
        --history FILE|JSON    events that happened before: [{"event": {…}, "at": MS, "mask": ["…"]}], mask may be left out
        --semantics NAME       standard (default) or reference
        --explain              tell which conditions held
        --json                 print JSON, for programs

        Nothing is sent and nothing is kept. What is wrong with the rules goes to standard error, one line each.
        """

    private static let vectors = """
        convert-sdk vectors PATH…

        Replays vector files, or every .json file in folders, against this SDK. Prints a line per mismatch and ends with
        'N passed, N failed'. Exits with 0 only if nothing failed and at least one case ran.
        """
}
