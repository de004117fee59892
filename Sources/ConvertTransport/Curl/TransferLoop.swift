#if os(Linux)
import ConvertConcurrency

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The thread that runs a transport's transfers.
final class TransferLoop: Sendable {
    private enum Command { case add(Transfer), remove(Transfer) }

    private struct State {
        var commands: [Command] = []
        var waker: MultiHandle.Waker?
        var isRetired = false
        /// Whether the process is ending. The thread then waits for nothing.
        var isStopped = false
        var isOver = false
    }

    private let library: CurlLibrary
    private let connectionsPerHost: Int
    private let state = Mutex(State())

    /// Starts the thread. It keeps the loop alive until ``retire()``.
    init(_ library: CurlLibrary, connectionsPerHost: Int) {
        self.library = library
        self.connectionsPerHost = connectionsPerHost
        if !TransferThread.start({ self.run() }, stop: { self.stop() }) { giveUp() }
    }

    /// Whether the thread has ended or is about to end. Nothing can be added then.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Starts `transfer`.
    func add(_ transfer: Transfer) { if !enqueue(.add(transfer)) { transfer.fail(.other) } }

    /// Ends `transfer`, unless it has already ended.
    func remove(_ transfer: Transfer) { _ = enqueue(.remove(transfer)) }

    /// Ends the thread and closes all connections when the last transfer has ended.
    func retire() {
        state.withLock { state in
            state.isRetired = true
            state.waker?.wake()
        }
    }

    /// Ends all transfers and then the thread.
    private func stop() {
        state.withLock { $0.isStopped = true }
        retire()
    }

    /// Passes `command` to the thread; `false` if the thread has ended.
    private func enqueue(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            // Waiting commands have already woken the thread.
            if state.commands.isEmpty { state.waker?.wake() }
            state.commands.append(command)
            return true
        }
    }

    private func run() {
        guard let multi = MultiHandle(library, connectionsPerHost: connectionsPerHost) else { return giveUp() }
        // The waker can be used as long as the loop is not over.
        withExtendedLifetime(multi) {
            state.withLock { $0.waker = multi.waker }
            while let commands = takeCommands(isIdle: multi.isIdle) {
                if commands.isEmpty { multi.wait() }
                for command in commands {
                    switch command {
                    case .add(let transfer): multi.add(transfer)
                    case .remove(let transfer): multi.remove(transfer)
                    }
                }
                if state.withLock({ $0.isStopped }) { multi.endAll() }
                multi.perform()
            }
        }
    }

    /// Returns the commands since the last call; `nil` if there is no further work.
    private func takeCommands(isIdle: Bool) -> [Command]? {
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

    /// Ends a loop that could not start.
    private func giveUp() {
        let commands = state.withLock { state in
            defer { state = State(isRetired: true, isOver: true) }
            return state.commands
        }
        for case .add(let transfer) in commands { transfer.fail(.other) }
    }
}
#endif
