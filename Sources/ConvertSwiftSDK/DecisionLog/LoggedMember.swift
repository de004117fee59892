/// The members of a line of a decision log, for writing and reading lines.
package enum LoggedMember: String, Sendable, CaseIterable {
    case time, config, options, environment
    case visitorID = "visitorId"
    case attributes, locationProperties, stored, call, buckets, withheld, decisions, features, reasons
}
