internal import ConvertECMAScript
internal import ConvertSwiftSDK

/// The parts of a decision log's line that the test of sample ratios needs, as bytes.
struct LogLineScan {
    /// A member of an object whose values are texts or `null`.
    typealias Member = (name: ByteText, value: ByteText?)

    private static var nothing: ByteText { .empty }
    /// The maximum depth of skipped values.
    private static let depthLimit = 8

    private(set) var visitorID = nothing
    private(set) var config = nothing
    private(set) var options = nothing
    private(set) var call = nothing
    private(set) var time = nothing
    private(set) var environment = nothing
    private(set) var features = nothing
    /// The value of the attribute; `nil` if the line does not contain it.
    private(set) var segment: JSValue?
    private(set) var decisions: [Member] = []
    private(set) var reasons: [Member] = []
    /// The stored decisions, by the ids of experiences.
    private(set) var stored: [Member] = []
    /// Whether the line contains decisions. A line that asks for features may have no decisions.
    private(set) var hasDecisions = false
    /// Whether the line contains a reason for each decision, in the same order.
    private(set) var hasReasons = false
    /// Whether the line contains bucket values, because a pseudonym replaces the visitor's id.
    private(set) var hasBuckets = false
    /// Whether the line was read to its end.
    private(set) var isWhole = false

    /// Reads a line.
    ///
    /// - Parameter attribute: the attribute to read.
    /// - Returns: whether the whole line had a simple form. The bytes are valid as long as the bytes of `line`.
    mutating func read(_ line: ByteText, attribute: [UInt8]?) -> Bool {
        (visitorID, config, options, call) = (Self.nothing, Self.nothing, Self.nothing, Self.nothing)
        (time, features, environment) = (Self.nothing, Self.nothing, Self.nothing)
        segment = nil
        decisions.removeAll(keepingCapacity: true)
        reasons.removeAll(keepingCapacity: true)
        stored.removeAll(keepingCapacity: true)
        (hasDecisions, hasReasons, hasBuckets, isWhole) = (false, false, false, false)
        var cursor = LineCursor(line)
        var seen: UInt32 = 0
        let isObject = cursor.takeObject { name, cursor in
            guard let member = Self.member(name) else { return false }
            // A second member with the same name would replace the first one.
            let bit = UInt32(1) << member.bit
            guard seen & bit == 0 else { return false }
            seen |= bit
            return take(member, attribute, &cursor)
        }
        guard isObject, cursor.isAtEnd, !visitorID.isEmpty else { return false }
        hasDecisions = seen & (1 << LoggedMember.decisions.bit) != 0
        hasReasons = seen & (1 << LoggedMember.reasons.bit) != 0
        hasBuckets = seen & (1 << LoggedMember.buckets.bit) != 0
        isWhole = !hasReasons || areReasonsOfDecisions
        return isWhole
    }

    private var areReasonsOfDecisions: Bool {
        reasons.count == decisions.count
            && zip(reasons, decisions).allSatisfy { reason, decision in
                reason.value != nil && reason.name == decision.name
            }
    }

    /// The member with this name; `nil` if the name is unknown or contains an escape.
    private static func member(_ name: ByteText) -> LoggedMember? {
        // Compares the length first, because few names have the same length.
        switch name.count {
        case 4: name.hasBytes(of: "time") ? .time : name.hasBytes(of: "call") ? .call : nil
        case 6: name.hasBytes(of: "config") ? .config : name.hasBytes(of: "stored") ? .stored : nil
        case 7:
            name.hasBytes(of: "reasons")
                ? .reasons : name.hasBytes(of: "options") ? .options : name.hasBytes(of: "buckets") ? .buckets : nil
        case 9: name.hasBytes(of: "visitorId") ? .visitorID : name.hasBytes(of: "decisions") ? .decisions : nil
        case 8: name.hasBytes(of: "features") ? .features : name.hasBytes(of: "withheld") ? .withheld : nil
        case 10: name.hasBytes(of: "attributes") ? .attributes : nil
        case 11: name.hasBytes(of: "environment") ? .environment : nil
        case 18: name.hasBytes(of: "locationProperties") ? .locationProperties : nil
        default: nil
        }
    }

    private mutating func take(_ member: LoggedMember, _ attribute: [UInt8]?, _ cursor: inout LineCursor) -> Bool {
        switch member {
        case .visitorID: return Self.take(&visitorID, cursor.takeText())
        case .config: return Self.take(&config, cursor.takeText()) && !config.isEmpty
        case .time: return Self.take(&time, cursor.takeText())
        case .environment: return Self.take(&environment, cursor.takeText())
        case .call: return Self.take(&call, cursor.skipObject(depth: Self.depthLimit))
        case .options: return Self.take(&options, cursor.skipObject(depth: Self.depthLimit))
        case .attributes:
            guard let attribute else { return cursor.skipObject(depth: Self.depthLimit) != nil }
            return takeAttributes(attribute, &cursor)
        case .features: return Self.take(&features, cursor.skipObject(depth: Self.depthLimit))
        case .locationProperties, .buckets: return cursor.skipObject(depth: Self.depthLimit) != nil
        // The attribute may be withheld.
        case .withheld: return attribute == nil && cursor.skipArray(depth: Self.depthLimit) != nil
        case .stored: return takeStored(&cursor)
        case .decisions: return Self.take(&decisions, &cursor)
        case .reasons: return Self.take(&reasons, &cursor)
        }
    }

    private static func take(
        _ place: inout ByteText, _ bytes: ByteText?
    ) -> Bool {
        guard let bytes else { return false }
        place = bytes
        return true
    }

    /// Reads an object whose values are texts or `null`.
    private static func take(_ members: inout [Member], _ cursor: inout LineCursor) -> Bool {
        cursor.takeObject { name, cursor in
            let value = cursor.takeText()
            guard value != nil || cursor.takeNull() else { return false }
            members.append((name, value))
            return true
        }
    }

    private mutating func takeStored(_ cursor: inout LineCursor) -> Bool {
        var hasBucketing = false
        return cursor.takeObject { name, cursor in
            guard name.hasBytes(of: "bucketing") else { return cursor.skipValue(depth: Self.depthLimit) != nil }
            guard !hasBucketing else { return false }
            hasBucketing = true
            return Self.take(&stored, &cursor)
        }
    }

    /// Whether a decision for the experience with this id is stored.
    func isStored(_ experienceID: [UInt8]) -> Bool {
        // If several members have the same name, the last one counts.
        stored.last { experienceID.areSame(as: $0.name) }.map { $0.value != nil } ?? false
    }

    private mutating func takeAttributes(_ attribute: [UInt8], _ cursor: inout LineCursor) -> Bool {
        cursor.takeObject { name, cursor in
            guard attribute.areSame(as: name) else { return cursor.skipValue(depth: Self.depthLimit) != nil }
            guard segment == nil, let value = cursor.takeValue() else { return false }
            segment = value
            return true
        }
    }
}

extension LoggedMember {
    /// A distinct bit for each member.
    fileprivate var bit: UInt32 {
        switch self {
        case .visitorID: 0
        case .attributes: 1
        case .locationProperties: 2
        case .stored: 3
        case .config: 4
        case .options: 5
        case .environment: 6
        case .call: 7
        case .time: 8
        case .decisions: 9
        case .reasons: 10
        case .features: 11
        case .buckets: 12
        case .withheld: 13
        }
    }
}
