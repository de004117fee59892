internal import ConvertECMAScript

/// What a plain object of JavaScript inherits, which the reference reads and writes as if it were the object's own.
enum ObjectPrototype {
    /// Assigning to this name changes what an object inherits from. It makes no member, and a merge by assignment loses it.
    static let accessor = PropertyKey.prototypeAccessor

    private static let names = PropertyNames([
        accessor, "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
        "toString",
        "valueOf", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
    ])

    /// Whether every plain object has something under `name`. All of it counts as `true`.
    static func has(_ name: PropertyKey) -> Bool { names.contains(name) }
}

extension JSObject? {
    /// Whether what stands under `name` counts as `true`: a member or, if the caller asks for it, what objects inherit.
    func isTruthy(_ name: PropertyKey, inheriting: Bool) -> Bool {
        self?[name]?.isTruthy ?? (inheriting && ObjectPrototype.has(name))
    }
}

/// An object that the reference's deep merge assigns members to, with what it inherits from meanwhile.
///
/// A member named `__proto__` becomes no member of the result. What it holds is inherited, and so is found by the members
/// after it.
struct MergedObject {
    private(set) var members = JSObject()
    /// The objects that it inherits from, the nearest one first, before the prototype of all objects.
    private var inherited: [JSObject] = []
    /// Whether it inherits from nothing else. Then `__proto__` is a name like any other.
    private var isBare = false

    /// The merge of `objects`, the oldest first. `merge` merges what stands under one name.
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
