public import ConvertSwiftSDKCore

extension ConvertContext {
    /// The config that the context decides on; `nil` before the first config.
    ///
    ///     let experience = context.config?.experiences[key: "checkout"]
    public var config: ProjectConfig? { withVisitor { _, snapshot, _ in snapshot.config } }
}
