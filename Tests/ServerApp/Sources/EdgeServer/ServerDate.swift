import Foundation
import Synchronization

/// The time of a response's `Date` field, written once a second.
enum ServerDate {
    private static let latest = Mutex<(second: time_t, text: String)>((0, ""))

    static var current: String {
        var now = time(nil)
        return latest.withLock { latest in
            if latest.second != now {
                var parts = tm()
                gmtime_r(&now, &parts)
                let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
                    String(
                        decoding: text[..<strftime(text.baseAddress, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)]
                            .map { UInt8(bitPattern: $0) }, as: UTF8.self)
                }
                latest = (now, text)
            }
            return latest.text
        }
    }
}
