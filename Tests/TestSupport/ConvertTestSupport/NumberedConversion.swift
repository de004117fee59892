package import Foundation

/// Conversions that can be told apart wherever they arrive: a number is the first of each one's goal data.
package enum NumberedConversion {
    private struct Body: Decodable {
        struct Visitor: Decodable {
            let visitorId: String
            let events: [Event]
        }

        struct Event: Decodable {
            struct Content: Decodable { let goalData: [Int]? }
            let data: Content
        }

        let visitors: [Visitor]
    }

    /// The numbers in a tracking request's body, with their visitors, in order.
    package static func all(in body: Data?) -> [(visitor: String, number: Int)] {
        guard let body, let content = try? JSONDecoder().decode(Body.self, from: body) else { return [] }
        return content.visitors.flatMap { visitor in
            visitor.events.compactMap { event in event.data.goalData?.first.map { (visitor.visitorId, $0) } }
        }
    }
}
