/// An operator with its name in another service, such as `notEquals`, `$in` or `STR_CONTAINS`.
struct ForeignOperator {
    /// The operator's name in this SDK.
    let name: String
    /// Whether the condition must be negated to have the same meaning.
    let isNegated: Bool

    /// Whether the condition needs no value.
    var asksForPresence: Bool { name == "exists" || name == "doesNotExist" }

    private static let names: [String: [String]] = [
        "equals": ["eq", "equal", "equals", "is", "exact", "exactmatch", "equalto", "=", "==", "==="],
        "contains": ["contain", "contains", "include", "includes", "substring", "has", "like", "icontains"],
        "startsWith": ["startwith", "startswith", "starts", "beginswith", "beginwith", "prefix", "hasprefix"],
        "endsWith": ["endwith", "endswith", "ends", "suffix", "hassuffix"],
        "isIn": ["in", "isin", "oneof", "isoneof", "anyof", "isanyof", "inlist", "any"],
        "regexMatches": [
            "regex", "regexp", "matchesregex", "regexmatch", "regexmatches", "pattern", "rlike", "~", "matches",
        ],
        "less": ["lt", "less", "lessthan", "before", "isbefore", "below", "<"],
        "lessEqual": [
            "lte", "le", "lessequal", "lessthanequal", "lessthanorequal", "lessthanorequalto", "lessthaninclusive",
            "atmost", "<=",
        ],
        "exists": ["exist", "exists", "isset", "present", "ispresent", "set"],
        "doesNotExist": ["isnull", "isempty", "null", "missing", "empty", "unset", "absent"],
    ]
    /// Foreign names of negated operators.
    private static let opposites: [String: [String]] = [
        "equals": ["ne", "neq", "isnot", "not", "!=", "!==", "<>"], "isIn": ["nin", "noneof", "isnoneof", "none"],
        "contains": ["excludes"],
        "less": [
            "gte", "ge", "greaterequal", "greaterthanequal", "greaterthanorequal", "greaterthanorequalto",
            "greaterthaninclusive",
            "atleast",
            ">=",
        ],
        "lessEqual": ["gt", "greater", "greaterthan", "after", "isafter", "above", ">"],
    ]
    private static let table: [String: ForeignOperator] = {
        var table: [String: ForeignOperator] = [:]
        for (isNegated, names) in [(false, names), (true, opposites)] {
            for (name, others) in names {
                for other in others { table[other] = ForeignOperator(name: name, isNegated: isNegated) }
            }
        }
        return table
    }()

    private init(name: String, isNegated: Bool) {
        self.name = name
        self.isNegated = isNegated
    }

    /// The suggested replacement for a comparison of versions.
    static let versionRemedy =
        "No operator compares versions: let the app give a number that grows with each version, or use regexMatches."

    /// Whether an operator with this name compares versions in another service, such as `semver_gt` and `$vlt`.
    static func comparesVersions(_ foreign: String) -> Bool {
        let name = foreign.lowercased().filter { !"$_- ".contains($0) }
        return ["semver", "version"].contains(where: name.hasPrefix)
            || ["veq", "vne", "vgt", "vgte", "vlt", "vlte"].contains(name)
    }

    /// Reads a name in any spelling: `NOT_IN`, `not-in`, `notIn`. Returns `nil` if no known service uses the name.
    init?(_ foreign: String) {
        guard foreign.utf8.count <= 40 else { return nil }
        var name = foreign.lowercased().filter { !"$_- ".contains($0) }
        var isNegated = false
        for prefix in ["string", "str", "number", "num", "date"] where name.hasPrefix(prefix) {
            name.removeFirst(prefix.count)
        }
        var found = Self.table[name]
        for prefix in ["isnot", "doesnot", "isn't", "not", "no", "!"] where found == nil && name.hasPrefix(prefix) {
            isNegated = true
            found = Self.table[String(name.dropFirst(prefix.count))]
        }
        guard let found else { return nil }
        self.init(name: found.name, isNegated: found.isNegated != isNegated)
    }
}
