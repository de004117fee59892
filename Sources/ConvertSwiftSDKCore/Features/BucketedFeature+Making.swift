public import ConvertECMAScript

extension BucketedFeature {
    /// A feature as a visitor has it, for code that is tested without an SDK.
    ///
    /// - Parameters:
    ///   - key: the feature's key.
    ///   - status: whether the visitor has it.
    ///   - variables: the variables' values as an app gets them; a disabled feature has none.
    ///   - id: the feature's id; `nil` means its key.
    ///   - name: the name people gave it.
    ///   - experienceKey: key, and id, of the experience that carries it.
    public init(
        key: String, status: Status = .enabled, variables: JSObject = JSObject(), id: String? = nil,
        name: String? = nil, experienceKey: String? = nil
    ) {
        // As a made variation, it stands on a project of its own.
        let id = id ?? key
        let variation = Variation(
            id: "0", key: "0", name: nil, weight: 100, isRunning: true,
            changes: [Variation.Change(featureID: id, variables: variables)])
        let experience = Experience(
            id: experienceKey ?? "0", key: experienceKey ?? "0", name: nil, environment: nil, audiences: [],
            matching: .any, locations: [], variations: [variation])
        let feature = Feature(id: id, key: key, name: name, variables: [])
        let project = Project(
            ProjectConfig(accountID: "0", projectID: "0", experiences: [experience], features: [feature]))
        self = .made(
            in: ProjectHandle(project), isEnabled: status == .enabled && !id.isEmpty, hasCarrier: experienceKey != nil)
    }
}
