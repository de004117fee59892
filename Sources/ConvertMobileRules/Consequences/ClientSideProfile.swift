public import ConvertECMAScript
package import ConvertConcurrency

/// The key-value profile that `csp` consequences write.
///
/// Rules read it as `~state.com.adobe.module.userProfile/userprofiledata.<key>`, unless a shared state of that name exists.
/// Lives in memory; an app that wants to keep it saves ``values`` in `onChange`. Safe to use from any thread.
public final class ClientSideProfile: Sendable {
    /// The shared state's name under which rules read the profile.
    public static let stateName = "com.adobe.module.userProfile"

    private struct State {
        var values: JSObject
        /// Whether the values have changed since `onChange` was called.
        var isChanged = false
        /// Whether a thread is reporting; it will report what changes meanwhile too.
        var isReporting = false
    }

    private let state: Mutex<State>
    private let onChange: (@Sendable (JSObject) -> Void)?
    /// What reports on the keeping of the values; `nil` if nothing does.
    let reports: (any ReportSource)?

    /// A profile.
    ///
    /// - Parameters:
    ///   - values: what it begins with.
    ///   - onChange: called with all values after they changed, once for all changes of one event, and once for all changes
    ///     made during a call. Calls come one at a time, in the order of the changes, on a thread that made a change. No lock
    ///     is held meanwhile, so the closure may process events and set values.
    public convenience init(values: JSObject = JSObject(), onChange: (@Sendable (JSObject) -> Void)? = nil) {
        self.init(values: values, reports: nil, onChange: onChange)
    }

    /// A profile whose keeper reports to the engine that uses it.
    package init(values: JSObject, reports: (any ReportSource)?, onChange: (@Sendable (JSObject) -> Void)?) {
        state = Mutex(State(values: values))
        self.reports = reports
        self.onChange = onChange
    }

    /// All values by key.
    public var values: JSObject { state.withLock { $0.values } }

    /// Sets `key` to a text or a number. An empty text or `nil` deletes it; a value of another type changes nothing.
    public func set(_ key: String, to value: JSValue?) {
        change(key, to: value)
        reportChanges()
    }

    /// As ``set(_:to:)``, without reporting: ``reportChanges()`` is to follow.
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

    /// Calls `onChange` until every change is reported. Must not be called under a lock.
    func reportChanges() {
        guard let onChange else { return }
        var isFirst = true
        while let values = unreported(isReporting: !isFirst) {
            isFirst = false
            onChange(values)
        }
    }

    /// The values, if there is a change to report that no other thread will report.
    private func unreported(isReporting: Bool) -> JSObject? {
        state.withLock { state in
            if state.isReporting, !isReporting { return nil }
            state.isReporting = state.isChanged
            state.isChanged = false
            return state.isReporting ? state.values : nil
        }
    }

    /// The profile as the shared state that rules read.
    var sharedState: JSObject { ["userprofiledata": .object(values)] }
}
