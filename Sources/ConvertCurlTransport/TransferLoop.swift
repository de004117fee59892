import CConvertCurl
import ConvertTransport
import Foundation
import Synchronization

/// The thread on which a transport's transfers happen.
final class TransferLoop: Sendable {
    private enum Command { case add(Transfer), remove(Transfer) }

    private struct State {
        var commands: [Command] = []
        var waker: MultiHandle.Waker?
        var isRetired = false
        var isOver = false
    }

    private let connectionsPerHost: Int
    private let state = Mutex(State())

    /// Starts the thread; it keeps the loop alive until it has been retired.
    init(connectionsPerHost: Int) {
        self.connectionsPerHost = connectionsPerHost
        let thread = Thread { self.run() }
        thread.name = "CurlTransport"
        thread.start()
    }

    /// Whether the thread has ended or is about to; nothing can be added then.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Starts `transfer`.
    func add(_ transfer: Transfer) { if !command(.add(transfer)) { transfer.fail(.other) } }

    /// Ends `transfer`, if it has not ended.
    func remove(_ transfer: Transfer) { _ = command(.remove(transfer)) }

    /// Closes all connections and ends the thread once the last transfer has ended.
    func retire() {
        state.withLock { state in
            state.isRetired = true
            state.waker?.wake()
        }
    }

    /// Hands `command` to the thread; `false` if it has ended.
    private func command(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            // Commands that are still waiting have woken the thread already.
            if state.commands.isEmpty { state.waker?.wake() }
            state.commands.append(command)
            return true
        }
    }

    private func run() {
        // Without it, a version of libcurl that needs it would be at a dead peer's mercy.
        guard convert_curl_block_sigpipe() == 0, let multi = MultiHandle(connectionsPerHost: connectionsPerHost) else {
            return giveUp()
        }
        // A waker may be used as long as the loop is not over.
        withExtendedLifetime(multi) {
            state.withLock { $0.waker = multi.waker }
            while let commands = nextCommands(isIdle: multi.isIdle) {
                if commands.isEmpty { multi.wait() }
                for command in commands {
                    switch command {
                    case .add(let transfer): multi.add(transfer)
                    case .remove(let transfer): multi.remove(transfer)
                    }
                }
                multi.perform()
            }
        }
    }

    /// The commands since the last call; `nil` if there will be nothing more to do.
    private func nextCommands(isIdle: Bool) -> [Command]? {
        state.withLock { state in
            if isIdle && state.isRetired && state.commands.isEmpty {
                state.waker = nil
                state.isOver = true
                return nil
            }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Ends the loop before it began.
    private func giveUp() {
        let commands = state.withLock { state in
            defer { state = State(isRetired: true, isOver: true) }
            return state.commands
        }
        for case .add(let transfer) in commands { transfer.fail(.other) }
    }
}
