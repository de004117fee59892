import ConvertECMAScript
import ConvertSwiftSDKCore
import ConvertValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An answer and the data that it depended on, before it becomes a line of a decision log.
struct DecisionRecord: Sendable {
    let date: Date
    let config: LoggedConfig
    /// Gives the bucket values of a line with a pseudonym.
    let project: Project
    let visitorID: String
    let attributes: JSObject
    let locationProperties: JSObject?
    let stored: VisitorState
    let environment: String
    let call: LoggedCall
    /// The names of data that the answer depended on and that a line cannot contain.
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
        set(.time, .string(CivilDate.text(milliseconds: Int((date.timeIntervalSince1970 * 1000).rounded(.down)))))
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
    /// The parts of a record that decisions read, as a member of a line: without goals and locations.
    fileprivate func logged(_ visible: (JSObject) -> JSObject) -> JSObject {
        var members = JSObject()
        if let bucketing { members["bucketing"] = .object(bucketing) }
        if let segments { members["segments"] = .object(visible(segments)) }
        return members
    }
}
