import ConvertSwiftSDKCore
import ConvertConcurrency

extension ConvertContext {
    /// Shows the visitor one variation in this context, whatever rules, environment, archive or stored decisions say.
    ///
    /// While a preview is on, everything else decides, but nothing is stored, reported or told, conversions do nothing,
    /// and segments cannot be changed. It ends with the context, or when ids are given that the config does not have.
    /// With an empty id the call changes nothing, so that a query parameter without a value ends no preview.
    /// - Returns: whether a preview is on now. Before there is a config the answer is `false`, and the preview begins
    ///   with the config.
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

    /// Shows the visitor the variation that `parameter` names, as a preview link does: `experience.variation`, ids of
    /// digits only. Anything else changes nothing.
    @discardableResult
    public func setPreview(parameter: String) -> Bool {
        guard let (experience, variation) = PreviewParameter.parse(parameter) else { return false }
        return setPreview(experienceID: experience, variationID: variation)
    }

    /// Shows the visitor one variation as ``setPreview(experienceID:variationID:)`` does, and fetches the experience if
    /// the config does not have it: a draft, or one that ended.
    ///
    /// What is fetched serves all contexts for a minute. It costs a request and what loading a config costs, so offer
    /// it only to users who may preview.
    /// - Returns: whether a preview is on now; `false` if the endpoint does not know the ids either, or the app gave
    ///   the config and nothing is fetched.
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
        let fetched: ProjectConfig
        do {
            fetched = try await previews.config(experienceID: experienceID)
        } catch {
            throw ConvertError(fetching: error)
        }
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
