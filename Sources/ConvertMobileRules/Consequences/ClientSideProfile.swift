public import ConvertECMAScript
internal import Synchronization

/// The key-value profile that `csp` consequences write.
///
/// Rules read it as `~state.com.adobe.module.userProfile/userprofiledata.<key>`, unless a shared state of that name exists.
/// Lives in memory; an app that wants to keep it saves ``values`` when told of a change. Safe to use from any thread.
public final class ClientSideProfile: Sendable {
    /// The shared state's name under which rules read the profile.
    public static let stateName = "com.adobe.module.userProfile"

    private let state: Mutex<JSObject>
    private let onChange: (@Sendable (JSObject) -> Void)?

    /// A profile that begins with `values`; `onChange` is called with all values after each change.
    public init(values: JSObject = JSObject(), onChange: (@Sendable (JSObject) -> Void)? = nil) {
        state = Mutex(values)
        self.onChange = onChange
    }

    /// All values by key.
    public var values: JSObject { state.withLock { $0 } }

    /// Sets `key` to a text or a number. An empty text or `nil` deletes it; a value of another type changes nothing.
    public func set(_ key: String, to value: JSValue?) {
        switch value {
        case nil, .string(""): change { $0[key] = nil }
        case .string, .integer, .number: change { $0[key] = value }
        case .null, .bool, .array, .object: break
        }
    }

    /// The profile as the shared state that rules read.
    var sharedState: JSObject { ["userprofiledata": .object(values)] }

    private func change(_ body: (inout JSObject) -> Void) {
        let values = state.withLock { values in
            body(&values)
            return values
        }
        onChange?(values)
    }
}
