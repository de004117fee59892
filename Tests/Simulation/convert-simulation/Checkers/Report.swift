import ConvertECMAScript
import ConvertTransport
import Foundation

/// What an event reports.
struct Report: Hashable, CustomStringConvertible {
    let visitor: String
    let what: String

    var description: String { "\(visitor): \(what)" }

    init(visitor: String, what: String) { (self.visitor, self.what) = (visitor, what) }

    /// What an event of a ledger reports; `nil` if the bytes are not an event.
    init?(_ record: Data) {
        guard let json = Self.json(record), let visitor = json["visitor"]?.stringValue,
            let event = json["event"]?.objectValue
        else { return nil }
        self.init(visitor: visitor, what: Self.what(event))
    }

    /// The events in a request.
    static func all(in request: HTTPRequest) -> [Report] {
        guard let body = request.body, let json = json(body) else { return [] }
        return (json["visitors"]?.arrayValue ?? []).flatMap { visitor -> [Report] in
            let id = visitor.objectValue?["visitorId"]?.stringValue ?? ""
            return (visitor.objectValue?["events"]?.arrayValue ?? []).map {
                Report(visitor: id, what: what($0.objectValue ?? JSObject()))
            }
        }
    }

    private static func json(_ bytes: Data) -> JSObject? {
        (try? ECMAScript.parseJSON(String(decoding: bytes, as: UTF8.self)).withRoot { $0.value })?.objectValue
    }

    private static func what(_ event: JSObject) -> String {
        let data = event["data"]?.objectValue ?? JSObject()
        func text(_ name: String) -> String { data[name]?.stringValue ?? "" }
        if event["eventType"]?.stringValue == "bucketing" {
            return "sees \(text("variationId")) of \(text("experienceId"))"
        }
        for value in data["goalData"]?.arrayValue ?? [] where value.objectValue?["key"]?.stringValue == "transactionId"
        {
            return "buys \(value.objectValue?["value"]?.stringValue ?? "")"
        }
        return "triggers \(text("goalId"))"
    }
}
