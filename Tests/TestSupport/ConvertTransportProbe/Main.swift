import ConvertTransport
import Foundation

/// A process that sends a request and ends:
///
///     ConvertTransportProbe released URL   once the transport was released
///     ConvertTransportProbe kept URL       with a transport that is never released
///     ConvertTransportProbe amid URL       amid the exchange
///     ConvertTransportProbe many URL       amid exchanges of several transports, some of them released
///
/// It says what came of the request that it waited for, and ends with status 0.
@main
struct Main {
    private static let kept = SystemTransport()

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[2]) else { exit(2) }
        let request = HTTPRequest(url: url, timeout: 600)
        switch arguments[1] {
        case "released": await answer(of: SystemTransport(), to: request)
        case "kept": await answer(of: kept, to: request)
        case "amid": begin(request, over: kept)
        case "many":
            for index in 0..<8 {
                let transport = SystemTransport()
                if index % 2 == 0 { await answer(of: transport, to: request) } else { begin(request, over: transport) }
            }
        default: exit(2)
        }
    }

    private static func begin(_ request: HTTPRequest, over transport: SystemTransport) {
        Task { try await transport.send(request) }
    }

    private static func answer(of transport: SystemTransport, to request: HTTPRequest) async {
        do {
            print(try await transport.send(request).status)
        } catch {
            print((error as? TransportError)?.code.description ?? "\(error)")
        }
    }
}
