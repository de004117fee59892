/// Why the SDK cannot do what was asked. It names what to do, and holds neither secrets nor visitor data.
public struct ConvertError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. More codes may be added.
    public struct Code: Sendable, Hashable {
        let name: String

        /// The SDK key is empty or malformed, an endpoint is no `http` or `https` URL, a config file's URL no file
        /// URL, or the SDK is offline and was given no config.
        public static let invalidConfiguration = Code(name: "invalidConfiguration")
        /// The config could not be fetched or read.
        public static let configUnavailable = Code(name: "configUnavailable")
        /// What was fetched or read is no project config.
        public static let invalidConfig = Code(name: "invalidConfig")
        /// The endpoint does not know the SDK key, or refuses its secret.
        public static let accessDenied = Code(name: "accessDenied")
        /// The SDK was shut down.
        public static let shutDown = Code(name: "shutDown")
        /// The task was cancelled, or the time allowed was over, before there was a config.
        public static let notReady = Code(name: "notReady")
        /// The ledger has not confirmed in time what was to be stored, or forgotten. It is tried again.
        public static let notStored = Code(name: "notStored")
    }

    /// What is wrong.
    public let code: Code

    /// What is wrong and what to do, in a sentence or two.
    public let message: String

    /// The message.
    public var description: String { message }
}
