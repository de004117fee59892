import Foundation

/// A timeout, in seconds, for what is to succeed however busy the machine is.
let patience: TimeInterval = 500
