/// An error of the SDK. Its message names a remedy, and contains neither secrets nor visitor data.
public struct ConvertError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The SDK key is empty or malformed, an endpoint is not an `http` or `https` URL, a config file's URL is not a
        /// file URL, or the SDK is offline and has no config.
        public static let invalidConfiguration = Code(name: "invalidConfiguration")
        /// The config could not be fetched or read.
        public static let configUnavailable = Code(name: "configUnavailable")
        /// The fetched or read data is not a project config.
        public static let invalidConfig = Code(name: "invalidConfig")
        /// The endpoint does not know the SDK key, or refuses its secret.
        public static let accessDenied = Code(name: "accessDenied")
        /// The SDK was shut down.
        public static let shutDown = Code(name: "shutDown")
        /// The task was cancelled, or the timeout ended, before there was a config.
        public static let notReady = Code(name: "notReady")
        /// The ledger has not confirmed in time that something is stored or forgotten. The SDK retries.
        public static let notStored = Code(name: "notStored")
        /// The queue for the ledger had no room, so something is never stored. Raise `queueCapacity`.
        public static let refused = Code(name: "refused")
    }

    /// The kind of the error.
    public let code: Code

    /// The problem and the remedy, in a sentence or two.
    public let message: String

    /// The same text as ``message``.
    public var description: String { message }
}
