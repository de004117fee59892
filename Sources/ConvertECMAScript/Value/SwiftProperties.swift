/// Properties from Swift values: what an app knows of a visitor, or of where they are.
///
///     let context = sdk.createContext(
///         visitorID: user.id, attributes: ["plan": user.plan, "visits": user.visitCount, "coupon": user.coupon])
///
/// A value that is `nil` is left out: the attribute is absent. JavaScript's `null` is `JSValue.null`. An object in it whose
/// members are of several types is `JSObject(["total": total, "name": name])`, and a dictionary that a variable holds
/// `JSObject(dictionary: headers)`.
public struct SwiftProperties: Sendable, ExpressibleByDictionaryLiteral {
    /// The properties.
    public let object: JSObject

    /// Properties by name; of two with one name the last one counts.
    public init(dictionaryLiteral members: (String, (any JSValueConvertible)?)...) {
        // Taken out one by one, the last one first: a copy of a member, and the end of an array with members, would each ask at
        // run time what a member is made of (W1-app).
        var rest = members
        var taken: [JSObject.Member] = []
        taken.reserveCapacity(rest.count)
        while !rest.isEmpty {
            let (name, property) = rest.removeLast()
            if let property = consume property {
                taken.append(JSObject.Member(key: PropertyKey(name), value: property.jsValue))
            }
        }
        // In the buffer, where members are swapped without counting their references.
        taken.withUnsafeMutableBufferPointer { $0.reverse() }
        object = JSObject(taken)
    }
}

extension JSObject {
    /// An object from Swift values, of which those that are `nil` are left out.
    ///
    ///     options.visitorProperties = JSObject(["plan": plan, "visits": count])
    @_disfavoredOverload
    public init(_ properties: SwiftProperties) { self = properties.object }

    /// An object from a dictionary of Swift values, of which those that are `nil` are left out.
    ///
    ///     context.updateVisitorProperties(JSObject(dictionary: headers))
    ///
    /// The members are ordered by their keys: a dictionary has no order of its own.
    public init(dictionary: [String: (any JSValueConvertible)?]) {
        self.init(ordering: dictionary.lazy.compactMap { name, value in value.map { (name, $0.jsValue) } })
    }

    /// An object of these members, ordered by their keys.
    init(ordering members: some Sequence<(String, JSValue)>) { self.init(members.sorted { $0.0 < $1.0 }) }
}
