import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertValues
import Foundation

/// An answer and everything that it depended on, before it becomes a line of a decision log.
struct DecisionRecord: Sendable {
    let date: Date
    let config: LoggedConfig
    /// What finds the bucket values of an answer in place of the visitor's id.
    let project: Project
    let visitorID: String
    let attributes: JSObject
    let locationProperties: JSObject?
    let stored: VisitorState
    let environment: String
    let call: LoggedCall
    /// Names of what decided and cannot be written.
    let unwritable: [String]
    let answer: LoggedAnswer

    /// The members of the line.
    func members(pseudonym: (@Sendable (String) -> String)?) -> JSObject {
        var withheld = WithheldNames(unwritable)
        var members = JSObject()
        func set(_ member: LoggedMember, _ value: JSValue) { members[PropertyKey(member.rawValue)] = value }
        func set(_ member: LoggedMember, unlessEmpty object: JSObject) {
            if !object.isEmpty { set(member, .object(object)) }
        }
        set(.time, .string(date.logged))
        if let revision = config.revision { set(.config, .string(revision.description)) }
        set(.options, unlessEmpty: config.options.json)
        set(.environment, .string(environment))
        set(.visitorID, .string(pseudonym?(visitorID) ?? visitorID))
        set(.attributes, unlessEmpty: config.visible(attributes, withholding: &withheld))
        if let location = locationProperties {
            set(.locationProperties, .object(config.visible(location, withholding: &withheld)))
        }
        set(.stored, unlessEmpty: stored.logged { config.visible($0, withholding: &withheld) })
        var call = call
        call.properties = call.properties.map { config.visible($0, withholding: &withheld) }
        set(.call, unlessEmpty: call.json)
        if pseudonym != nil {
            switch answer.member {
            case .decisions: set(.buckets, .object(bucketValues(byID: call.question == .experienceID)))
            case .features: withheld.add(LoggedMember.visitorID.rawValue)
            }
        }
        if !withheld.names.isEmpty { set(.withheld, .array(withheld.names.map(JSValue.string))) }
        set(answer.member == .decisions ? .decisions : .features, .object(answer.value))
        return members
    }

    /// The visitor's bucket values in the experiences of the answer.
    private func bucketValues(byID: Bool) -> JSObject {
        let bucketing = BucketingManager(options: config.options.bucketing)
        var values = JSObject()
        for member in answer.value {
            let name = member.key
            guard let index = byID ? project.experience(id: name) : project.experience(key: name) else { continue }
            let id = project.config.experiences[index].id.text
            values[member.key] = .integer(bucketing.bucketValue(visitorID: visitorID, experienceID: id))
        }
        return values
    }
}

extension VisitorState {
    /// What decisions read of a record, as a member of a line: not which goals were triggered, nor where the visitor is.
    fileprivate func logged(_ visible: (JSObject) -> JSObject) -> JSObject {
        var members = JSObject()
        if let bucketing { members["bucketing"] = .object(bucketing) }
        if let segments { members["segments"] = .object(visible(segments)) }
        return members
    }
}

extension Date {
    /// The time in UTC, with milliseconds: `2025-01-31T23:59:59.123Z`.
    fileprivate var logged: String {
        let milliseconds = Int((timeIntervalSince1970 * 1000).rounded(.down))
        let days = CivilDate.floorDivide(milliseconds, 86_400_000)
        let rest = milliseconds - days * 86_400_000
        let day = CivilDate(daysSince1970: days)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { digits($0, 2) }.joined(separator: ":")
        return "\(digits(day.year, 4))-\(digits(day.month, 2))-\(digits(day.day, 2))T\(time).\(digits(rest % 1000, 3))Z"
    }
}
