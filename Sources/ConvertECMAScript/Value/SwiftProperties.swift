/// Properties from Swift values, for example of a visitor or a location.
///
///     let context = sdk.createContext(
///         visitorID: user.id, attributes: ["plan": user.plan, "visits": user.visitCount, "coupon": user.coupon])
///
/// A value that is `nil` is left out: the attribute is absent. JavaScript's `null` is `JSValue.null`. For a nested
/// object with members of several types, write `JSObject(["total": total, "name": name])`. For a dictionary in a
/// variable, write `JSObject(dictionary: headers)`.
public struct SwiftProperties: Sendable, ExpressibleByDictionaryLiteral {
    /// The properties.
    public let object: JSObject

    /// Creates properties by name. If several properties have the same name, the last value counts.
    public init(dictionaryLiteral members: (String, (any JSValueConvertible)?)...) {
        // Take the members one by one, from the end: copying a member, or freeing the array with its members, is slow
        // (W1-app).
        var rest = members
        var taken: [JSObject.Member] = []
        taken.reserveCapacity(rest.count)
        while !rest.isEmpty {
            let (name, property) = rest.removeLast()
            if let property = consume property {
                taken.append(JSObject.Member(key: PropertyKey(name), value: property.jsValue))
            }
        }
        // Reverse the members in a span: swapping them in the array is slower.
        var span = taken.mutableSpan
        for index in 0..<span.count / 2 { span.swapAt(index, span.count - 1 - index) }
        object = JSObject(taken)
    }
}

extension JSObject {
    /// Creates an object from Swift values. Values that are `nil` are left out.
    ///
    ///     options.visitorProperties = JSObject(["plan": plan, "visits": count])
    @_disfavoredOverload
    public init(_ properties: SwiftProperties) { self = properties.object }

    /// Creates an object from a dictionary of Swift values. Values that are `nil` are left out.
    ///
    ///     context.updateVisitorProperties(JSObject(dictionary: headers))
    ///
    /// The members are sorted by their keys, because a dictionary has no order.
    public init(dictionary: [String: (any JSValueConvertible)?]) {
        self.init(ordering: dictionary.lazy.compactMap { name, value in value.map { (name, $0.jsValue) } })
    }

    /// Creates an object of these members, sorted by their keys.
    init(ordering members: some Sequence<(String, JSValue)>) { self.init(members.sorted { $0.0 < $1.0 }) }
}
