import ConvertSwiftSDKCore

/// A conversion that waits for the visitor's record: it is not known yet whether its goal was triggered before.
struct DeferredConversion: Sendable {
    let context: ConvertContext
    let goalKey: String
    let options: ConversionOptions
    /// Number of the load that it waits for; `nil` if it only waits for those before it.
    var load: Int?

    func perform() { context.perform(self) }
}
