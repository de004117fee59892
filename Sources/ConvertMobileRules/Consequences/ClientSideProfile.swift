public import ConvertECMAScript
package import ConvertConcurrency

/// The key-value profile that `csp` consequences write.
///
/// Rules read the profile as `~state.com.adobe.module.userProfile/userprofiledata.<key>`, unless the app has a shared
/// state with that name. The profile is in memory. To keep it, an app saves ``values`` in `onChange`. Safe to use from
/// any thread.
public final class ClientSideProfile: Sendable {
    /// The name of the shared state through which rules read the profile.
    public static let stateName = "com.adobe.module.userProfile"

    private struct State {
        var values: JSObject
        /// Whether the values have changed since the last call of `onChange`.
        var isChanged = false
        /// Whether a thread is calling `onChange`. That thread also reports changes made meanwhile.
        var isReporting = false
    }

    private let state: Mutex<State>
    private let onChange: (@Sendable (JSObject) -> Void)?
    /// Reports problems with storing the values; `nil` if the values are not stored.
    let reports: (any ReportSource)?

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - values: the initial values.
    ///   - onChange: called with all values after a change: once for all changes by one event, and once for all changes
    ///     made during a call. Calls are sequential, in the order of the changes, on a thread that made a change. No
    ///     lock is held, so the closure may process events and set values.
    public convenience init(values: JSObject = JSObject(), onChange: (@Sendable (JSObject) -> Void)? = nil) {
        self.init(values: values, reports: nil, onChange: onChange)
    }

    /// Creates a profile whose storage reports to the engine that uses it.
    package init(values: JSObject, reports: (any ReportSource)?, onChange: (@Sendable (JSObject) -> Void)?) {
        state = Mutex(State(values: values))
        self.reports = reports
        self.onChange = onChange
    }

    /// All values by key.
    public var values: JSObject { state.withLock { $0.values } }

    /// Sets `key` to a text or a number. An empty text or `nil` deletes the key. A value of another type changes
    /// nothing.
    public func set(_ key: String, to value: JSValue?) {
        change(key, to: value)
        reportChanges()
    }

    /// Sets `key` like ``set(_:to:)``, but does not call `onChange`. Call ``reportChanges()`` afterwards.
    func change(_ key: String, to value: JSValue?) {
        let kept: JSValue?
        switch value {
        case nil, .string(""): kept = nil
        case .string, .integer, .number: kept = value
        case .null, .bool, .illFormedString, .array, .object: return
        }
        state.withLock { state in
            state.values[key] = kept
            state.isChanged = true
        }
    }

    /// Calls `onChange` until every change is reported. Do not call it while holding a lock.
    func reportChanges() {
        guard let onChange else { return }
        var isFirst = true
        while let values = unreported(isReporting: !isFirst) {
            isFirst = false
            onChange(values)
        }
    }

    /// The values, if there is a change to report and no other thread is reporting.
    private func unreported(isReporting: Bool) -> JSObject? {
        state.withLock { state in
            if state.isReporting, !isReporting { return nil }
            state.isReporting = state.isChanged
            state.isChanged = false
            return state.isReporting ? state.values : nil
        }
    }

    /// The profile as a shared state, which rules read.
    var sharedState: JSObject { ["userprofiledata": .object(values)] }
}
