import NIOCore

/// Ends connections: idle ones, those of clients that do not read, those after a malformed request or a last response,
/// and all of them when the server shuts down.
///
/// Responses to requests that were read are written first, and the last one announces the end.
extension ConnectionHandler {
    /// How long a connection that should end may take: to finish a request during the shutdown, or to close after its
    /// last response. A response waits for a ledger for less.
    private static var grace: TimeAmount { .seconds(5) }
    /// How long an idle connection stays open during the shutdown, for a request that is on its way.
    private static var drainTime: TimeAmount { .milliseconds(500) }

    func finish(_ context: ChannelHandlerContext) {
        phase = .finished
        closeIfDone(context)
    }

    /// Closes what should be closed, once all responses are written.
    func closeIfDone(_ context: ChannelHandlerContext) {
        guard unwritten == 0 else { return }
        let closing = closing
        self.closing = []
        for (mode, promise) in closing { closeLater(context, mode, promise) }
        guard isDiscarding, unanswered == 0, context.channel.isActive else { return }
        if isInputClosed { return closeLater(context, .all, nil) }
        if isOutputClosed { return }
        isOutputClosed = true
        // To close at once while the client sends would reset the connection, and the client would lose the response.
        closeLater(context, .output, nil)
        context.read()
        scheduleClose(context, atLatestIn: Self.grace)
    }

    /// Closes behind the write whose end this may be: TLS has its own end to write.
    private func closeLater(_ context: ChannelHandlerContext, _ mode: CloseMode, _ promise: EventLoopPromise<Void>?) {
        context.eventLoop.assumeIsolated().execute { context.close(mode: mode, promise: promise) }
    }

    private func scheduleClose(_ context: ChannelHandlerContext, atLatestIn time: TimeAmount) {
        if deadline != nil { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if unwritten == 0 || mode == .input {
            context.close(mode: mode, promise: promise)
        } else {
            closing.append((mode, promise))
        }
        if mode == .output { taskDidEnd(context) }
    }

    /// Closes the connection of a client that closed its direction and receives a stream, once earlier responses are
    /// written. The client has gone.
    func endAbandonedStream(_ context: ChannelHandlerContext) {
        guard isInputClosed, isStreaming else { return }
        isStreaming = false
        context.flush()
        close(context: context, mode: .all, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            let isIdle = !isArriving && unanswered == 0 && unwritten == 0
            if phase == .open { phase = isIdle ? .draining : .ending }
            if isIdle {
                drain(context)
            } else {
                scheduleClose(context, atLatestIn: Self.grace)
            }
        case ChannelEvent.inputClosed:
            closeInput(context)
        case is SurplusHandler.InputEnd:
            isInputClosed = true
            endAbandonedStream(context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Closes an idle connection soon, unless a request arrives.
    private func drain(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.drainTime) {
            if self.phase == .draining {
                context.close(promise: nil)
            } else {
                self.scheduleClose(context, atLatestIn: Self.grace)
            }
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        lastRead = .now()
        checkIfIdle(context, at: lastRead + idleTimeout)
        context.fireChannelActive()
    }

    private func checkIfIdle(_ context: ChannelHandlerContext, at time: NIODeadline) {
        idleCheck = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            let now = NIODeadline.now()
            let isIdle = now - self.lastRead >= self.idleTimeout
            self.checkIfIdle(context, at: (isIdle ? now : self.lastRead) + self.idleTimeout)
            if isIdle { self.closeIfStuck(context) }
        }
    }

    /// Closes a connection on which nothing arrived for a while, unless the client still waits or reads.
    private func closeIfStuck(_ context: ChannelHandlerContext) {
        let before = progress
        let bytes = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        progress = (writtenResponses, bytes)
        if bytes == 0 {
            // The response to a request that was read may take its time: a stream of changes has no end.
            if unanswered <= (isArriving ? 1 : 0) { context.close(promise: nil) }
        } else if before.unwrittenBytes > 0, bytes >= before.unwrittenBytes, before.responses == writtenResponses {
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        idleCheck?.cancel()
        waiting.removeAll()
        context.fireChannelInactive()
    }
}
