public import ConvertSwiftSDK

/// A shop that decides with the SDK.
public struct Shop {
    private let convert: ConvertSDK

    /// Creates a shop.
    public init(convert: ConvertSDK) { self.convert = convert }

    /// Tracks an order and returns the button that the visitor saw.
    public func order(visitorID: String, amount: Double) -> String {
        let visitor = convert.createContext(visitorID: visitorID)
        let button = visitor.variationKey("checkout", default: "control")
        visitor.trackConversion("purchase", revenue: amount)
        return button
    }
}
