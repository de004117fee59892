import ConvertTestSupport
import ConvertTransport
import Foundation
import ConvertConcurrency

@testable import ConvertSwiftSDK

extension ScriptedTransport {
    /// The bodies of the tracking requests.
    var bodies: [JSObject] { requests.compactMap(\.trackingBody) }

    /// The events that were sent, in order, with their visitors.
    var events: [(visitor: String, event: JSValue)] { requests.flatMap(\.trackedEvents) }
}

extension HTTPRequest {
    /// The body of a tracking request.
    fileprivate var trackingBody: JSObject? {
        method == "POST" ? body.flatMap { try? JSONDecoder().decode(JSObject.self, from: $0) } : nil
    }

    /// The events of a tracking request, in order, with their visitors.
    var trackedEvents: [(visitor: String, event: JSValue)] {
        (trackingBody?["visitors"]?.arrayValue ?? []).flatMap { visitor in
            (visitor.objectValue?["events"]?.arrayValue ?? []).map {
                (visitor.objectValue?["visitorId"]?.stringValue ?? "", $0)
            }
        }
    }
}

/// Keeps messages.
final class RecordingLogger: ConvertLogger {
    private let recorded = Mutex<[(level: ConvertLogLevel, message: String)]>([])

    var messages: [(level: ConvertLogLevel, message: String)] { recorded.withLock { $0 } }

    var warnings: [String] { messages.filter { $0.level >= .warn }.map(\.message) }

    func log(_ level: ConvertLogLevel, _ message: String) { recorded.withLock { $0.append((level, message)) } }
}

/// Keeps events that were told.
final class RecordingListener: Sendable {
    private let recorded = Mutex<[SDKEvent]>([])

    var events: [SDKEvent] { recorded.withLock { $0 } }

    func take(_ event: SDKEvent) { recorded.withLock { $0.append(event) } }
}

struct Failure: Error {}

extension StepClock {
    /// Lets time pass in steps until the task is cancelled.
    func tick(by step: Duration) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                advance(by: step)
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }
}
