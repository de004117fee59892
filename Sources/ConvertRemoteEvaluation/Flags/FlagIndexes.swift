import ConvertConcurrency
import ConvertSwiftSDK

/// The flag indexes of the configs that contexts use. It has the latest two, because contexts from before a change are
/// still in use.
final class FlagIndexes: Sendable {
    private static let capacity = 2

    private let indexes = Mutex<[FlagIndex]>([])

    /// The index of the config that `context` uses; `nil` if there is no config yet.
    ///
    /// The first call for a config takes time linear to its entities.
    func index(for context: ConvertContext) -> FlagIndex? {
        guard let identity = context.configIdentity else { return nil }
        if let index = indexes.withLock({ $0.first { $0.identity == identity } }) { return index }
        guard let index = context.withProject({ FlagIndex($0, identity) }) else { return nil }
        let replaced = indexes.withLock { indexes in
            defer { indexes = Array(([index] + indexes.filter { $0.identity != identity }).prefix(Self.capacity)) }
            return indexes
        }
        withExtendedLifetime(replaced) {}
        return index
    }
}
