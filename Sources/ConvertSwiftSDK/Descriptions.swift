// An SDK contains secrets, and its contexts contain visitor data, so neither descriptions nor dumps show them.

extension SDKConfiguration: CustomStringConvertible, CustomReflectable {
    /// The environment, and whether a debug token is set.
    public var description: String {
        "SDKConfiguration(environment: \(environment), debugToken: \(debugToken == nil ? "none" : "set"))"
    }

    /// A mirror that shows only `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension ConvertSDK: CustomStringConvertible, CustomReflectable {
    /// Whether there is a config; no key, secret or token.
    public var description: String { "ConvertSDK(\(isReady ? "ready" : "not ready"))" }

    /// A mirror that shows only `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

extension ConvertContext: CustomStringConvertible, CustomReflectable {
    /// Whether the context has a preview; neither the visitor's id nor attributes.
    public var description: String { "ConvertContext(\(isPreviewing ? "preview" : "visitor"))" }

    /// A mirror that shows only `description`.
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}
