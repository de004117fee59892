import ConvertTesting

/// An app whose behaviour its tests are about.
struct Shop {
    static let project = TestProject {
        Audience("insiders", where: .equals("plan", "insider"))
        Experience("checkout", audiences: ["insiders"]) {
            for number in 0..<7 {
                Variation("v\(number)", weight: 10, features: ["express-pay": ["limit": .integer(number)]])
            }
        }
        Experience("navigation") {
            Variation("classic", weight: 50)
            Variation("menu", weight: 50)
        }
        Feature("express-pay", variables: ["limit": .integer])
        Feature("gift-wrap")
        Goal("purchase")
    }

    let convert: ConvertSDK

    /// The checkout page that a visitor sees, and what they may pay at once.
    func page(_ visitorID: String) -> (variation: String?, limit: Int?) {
        let context = convert.createContext(visitorID: visitorID)
        return (context.decide("checkout").variation?.variationKey, context.feature("express-pay").integer("limit"))
    }

    func order(_ visitorID: String, amount: Double) -> Conversion.Outcome {
        let context = convert.createContext(visitorID: visitorID)
        context.decide("checkout")
        return context.trackConversion("purchase", revenue: amount, transactionID: "t-\(visitorID)")
    }
}
