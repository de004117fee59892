internal import ConvertECMAScript

/// The members that the config reader reads, with their numbers in ``vocabulary``.
enum ConfigMember: UInt32, CaseIterable {
    case id, key, name, type, status, version, environment, environments, settings, error, project, rules
    case accountID, archivedExperiences, experiences, audiences, locations, segments, features, goals, variations
    case siteArea, matchingOptions, trafficAllocation, changes, data, variables
    case or, and, orWhen, ruleType, value, matching, matchType, negated

    /// The names in the JSON, in the order of the cases.
    static let names = [
        "id", "key", "name", "type", "status", "version", "environment", "environments", "settings", "error", "project",
        "rules", "account_id", "archived_experiences", "experiences", "audiences", "locations", "segments", "features",
        "goals", "variations", "site_area", "matching_options", "traffic_allocation", "changes", "data", "variables",
        "OR", "AND", "OR_WHEN", "rule_type", "value", "matching", "match_type", "negated",
    ]

    static let vocabulary = JSONVocabulary(names)
}

extension JSONCursor {
    /// The member of an object, or `nil` if there is no such member or the value is not an object. The document must
    /// have been parsed with ``ConfigMember/vocabulary``.
    subscript(member: ConfigMember) -> JSONCursor? { self.member(member.rawValue) }

    /// The member, or `nil` if it is missing or `null`.
    func present(_ name: ConfigMember) -> JSONCursor? {
        guard let value = self[name], !value.isNull else { return nil }
        return value
    }

    /// ToBoolean (ECMA-262 §7.1.2).
    var isTruthy: Bool {
        switch kind {
        case .null: false
        case .bool: bool == true
        case .number: number.map { !($0.isNaN || $0 == 0) } ?? false
        case .text: !isText("")
        case .array, .object: true
        }
    }
}
