internal import ConvertECMAScript

/// The members that the config reader reads, with their numbers in ``vocabulary``.
enum ConfigMember: UInt32, CaseIterable {
    case id, key, name, type, status, version, environment, environments, settings, error, project, rules
    case accountID, archivedExperiences, experiences, audiences, locations, segments, features, goals, variations
    case siteArea, matchingOptions, trafficAllocation, changes, data, variables
    case or, and, orWhen, ruleType, value, matching, matchType, negated

    /// The names, indexed by number.
    static let vocabulary = JSONVocabulary(allCases.map(\.text))

    /// The name in the JSON.
    private var text: String {
        switch self {
        case .id: "id"
        case .key: "key"
        case .name: "name"
        case .type: "type"
        case .status: "status"
        case .version: "version"
        case .environment: "environment"
        case .environments: "environments"
        case .settings: "settings"
        case .error: "error"
        case .project: "project"
        case .rules: "rules"
        case .accountID: "account_id"
        case .archivedExperiences: "archived_experiences"
        case .experiences: "experiences"
        case .audiences: "audiences"
        case .locations: "locations"
        case .segments: "segments"
        case .features: "features"
        case .goals: "goals"
        case .variations: "variations"
        case .siteArea: "site_area"
        case .matchingOptions: "matching_options"
        case .trafficAllocation: "traffic_allocation"
        case .changes: "changes"
        case .data: "data"
        case .variables: "variables"
        case .or: "OR"
        case .and: "AND"
        case .orWhen: "OR_WHEN"
        case .ruleType: "rule_type"
        case .value: "value"
        case .matching: "matching"
        case .matchType: "match_type"
        case .negated: "negated"
        }
    }
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
