import ConvertSwiftSDKCore
import ConvertConcurrency

extension ConvertContext {
    /// Shows the visitor one variation in this context, whatever the rules, the environment, the archive and stored
    /// decisions say.
    ///
    /// While a preview is on, other experiences are decided as usual, but nothing is stored or reported and listeners
    /// receive nothing. Conversions do nothing, and segments cannot be changed. The preview ends with the context, or
    /// when this is called with ids that the config does not contain. An empty id changes nothing, so that a query
    /// parameter without a value does not end a preview.
    /// - Returns: whether a preview is on now. Before there is a config this is `false`, and the preview begins with
    ///   the config.
    @discardableResult
    public func setPreview(experienceID: String, variationID: String) -> Bool {
        guard ExperienceManager.canPreview(experienceID: experienceID, variationID: variationID) else {
            return isPreviewing
        }
        let isShown = withVisitor(
            givingBack: true, orRequest: { $0.show(experienceID, variationID) }
        ) { _, snapshot, visitor in
            snapshot.experiences.setPreview(experienceID: experienceID, variationID: variationID, for: &visitor)
        }
        return isShown ?? false
    }

    /// Shows the visitor the variation that a preview link's parameter names: `experience.variation`, two ids of
    /// digits. Any other text changes nothing.
    /// - Returns: whether a preview is on now; `false` for any other text.
    @discardableResult
    public func setPreview(parameter: String) -> Bool {
        guard let (experience, variation) = PreviewParameter.parse(parameter) else { return false }
        return setPreview(experienceID: experience, variationID: variation)
    }

    /// Shows the visitor one variation like ``setPreview(experienceID:variationID:)``. Fetches the experience if the
    /// config does not contain it because it is a draft or has ended.
    ///
    /// A fetched experience serves all contexts for a minute. It costs a request and the loading of a config, so offer
    /// this only to users who may preview.
    /// - Returns: whether a preview is on now; `false` if the endpoint does not know the ids either, or the app passed
    ///   the config, so that nothing is fetched.
    /// - Throws: ``ConvertError`` if the fetch fails, or there is no config yet.
    @discardableResult
    public func loadPreview(experienceID: String, variationID: String) async throws(ConvertError) -> Bool {
        guard isConfigured else {
            throw ConvertError(code: .notReady, message: "there is no config yet; wait for ready().")
        }
        guard ExperienceManager.canPreview(experienceID: experienceID, variationID: variationID) else {
            return isPreviewing
        }
        if setPreview(experienceID: experienceID, variationID: variationID) { return true }
        guard let previews = engine.previews else { return false }
        let fetched = try await previews.config(experienceID: experienceID)
        return borrow { snapshot in
            snapshot.config.borrowing(experienceID: experienceID, from: fetched).map {
                snapshot.with($0, options: engine.configuration.compilation)
            }
        } showing: { snapshot, visitor in
            snapshot.experiences.setPreview(experienceID: experienceID, variationID: variationID, for: &visitor)
        }
    }

    /// Whether the visitor previews a variation.
    public var isPreviewing: Bool { state.withLock { $0.visitor?.isPreviewing ?? false } }
}

/// The value of a preview link's parameter.
enum PreviewParameter {
    static func parse(_ text: String) -> (experience: String, variation: String)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return (String(parts[0]), String(parts[1]))
    }
}
