import ConvertSwiftSDK

struct Shop {
    let convert: ConvertSDK

    func order(visitorID: String, amount: Double) -> String {
        let visitor = convert.createContext(visitorID: visitorID)
        let button = visitor.variationKey("checkout", default: "control")
        visitor.trackConversion("purchase", revenue: amount)
        return button
    }
}
