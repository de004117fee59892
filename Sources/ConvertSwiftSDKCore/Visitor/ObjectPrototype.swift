internal import ConvertECMAScript

/// The members that every plain JavaScript object inherits. The reference reads and writes them as if they were the
/// object's own.
enum ObjectPrototype {
    /// Assigning to this name changes an object's prototype. It creates no member, and a merge by assignment loses it.
    static let accessor = PropertyKey.prototypeAccessor

    private static let names = PropertyNames([
        accessor, "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
        "toString", "valueOf", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
    ])

    /// Whether every plain object inherits a member `name`. The values of all such members are truthy.
    static func has(_ name: PropertyKey) -> Bool { names.contains(name) }
}

extension JSObject? {
    /// Whether the value of `name` is truthy: the value of a member or, if `inheriting`, of an inherited member.
    func isTruthy(_ name: PropertyKey, inheriting: Bool) -> Bool {
        self?[name]?.isTruthy ?? (inheriting && ObjectPrototype.has(name))
    }
}

/// The result of the reference's deep merge, with the objects that it inherits from during the merge.
///
/// A member named `__proto__` does not become a member of the result. The result inherits the contents of that member
/// instead, so the merge of later members finds them.
struct MergedObject {
    private(set) var members = JSObject()
    /// The objects that the result inherits from, the nearest first, without the prototype of all objects.
    private var inherited: [JSObject] = []
    /// Whether the result has no prototype. Then `__proto__` is an ordinary name.
    private var isBare = false

    /// Merges `objects`, the oldest first. `merge` merges the values of one name.
    init(
        _ objects: [JSObject], merge: (_ old: JSValue?, _ new: JSValue) -> JSValue,
        mergeObjects: (_ old: JSObject, _ new: JSValue) -> MergedObject?
    ) {
        for object in objects {
            for member in object {
                guard member.key == ObjectPrototype.accessor, !isBare else {
                    members[member.key] = merge(value(of: member.key), member.value)
                    continue
                }
                if member.value.isNull {
                    (inherited, isBare) = ([], true)
                } else if let prototype = mergeObjects(inherited.first ?? JSObject(), member.value) {
                    (inherited, isBare) = ([prototype.members] + prototype.inherited, prototype.isBare)
                }
            }
        }
    }

    private func value(of name: PropertyKey) -> JSValue? {
        members[name] ?? inherited.lazy.compactMap { $0[name] }.first
    }
}
