public import ConvertECMAScript

/// One rule: a condition and what follows when an event meets it.
public struct MobileRule: Sendable {
    /// What must hold.
    public let condition: Condition
    /// What follows, in order, tokens not yet replaced. Malformed ones are left out.
    public let consequences: [Consequence]
    /// What the document adds about the rule.
    public let meta: JSObject?

    /// The consequences that were left out: index within the rule's list, and why.
    let dropped: [(index: Int, reason: String)]
}

extension MobileRule: Decodable {
    enum Keys: String, CodingKey { case condition, consequences, meta }

    /// Decodes a rule; throws if a required member is missing or anything in the condition is of the wrong type.
    public init(from decoder: any Decoder) throws { self = try MobileRule(decoder.container(keyedBy: Keys.self)) }

    init(_ container: KeyedDecodingContainer<Keys>) throws {
        condition = try Condition(container.nestedContainer(keyedBy: Condition.Keys.self, forKey: .condition), depth: 0)
        meta = try container.contains(.meta) ? container.decodeIfPresent(ExactObject.self, forKey: .meta)?.object : nil
        var kept: [Consequence] = []
        var dropped: [(index: Int, reason: String)] = []
        var list = try container.nestedUnkeyedContainer(forKey: .consequences)
        while !list.isAtEnd {
            switch try ConsequenceOrFault(list.nestedContainer(keyedBy: ConsequenceOrFault.Keys.self)) {
            case .consequence(let consequence): kept.append(consequence)
            case .fault(let reason): dropped.append((list.currentIndex - 1, reason))
            }
        }
        consequences = kept
        self.dropped = dropped
    }
}

/// A consequence, or why an object is none.
private enum ConsequenceOrFault {
    case consequence(Consequence)
    case fault(String)

    enum Keys: String, CodingKey { case id, type, detail }

    init(_ container: KeyedDecodingContainer<Keys>) throws {
        guard let id = try? container.decode(String.self, forKey: .id) else {
            self = .fault("its id is missing or no text")
            return
        }
        guard let type = try? container.decode(String.self, forKey: .type) else {
            self = .fault("its type is missing or no text")
            return
        }
        do {
            let detail = try container.nestedContainer(keyedBy: AnyName.self, forKey: .detail)
            self = .consequence(Consequence(id: id, type: type, detail: try ExactObject.members(detail)))
        } catch let fault as DocumentFault where fault.code != .tooLarge {
            self = .fault("its detail cannot be read: \(fault.message)")
        } catch let fault as DocumentFault {
            throw fault
        } catch {
            self = .fault("its detail is missing or no object")
        }
    }
}
