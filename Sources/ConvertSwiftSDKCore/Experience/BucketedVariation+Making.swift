extension BucketedVariation {
    /// A variation as a decision gives it, for code that is tested without an SDK.
    ///
    /// - Parameters:
    ///   - experienceKey: the experience's key.
    ///   - variationKey: the variation's key.
    ///   - experienceID: the experience's id; `nil` means its key.
    ///   - variationID: the variation's id; `nil` means its key.
    ///   - source: where the decision came from.
    ///   - bucketingAllocation: the visitor's bucket value.
    public init(
        experienceKey: String, variationKey: String, experienceID: String? = nil, variationID: String? = nil,
        source: Source = .bucketed, bucketingAllocation: Int? = nil
    ) {
        // It stands on a project of its own, so that a decision of the SDK need not hold more than indices.
        let variation = Variation(
            id: variationID ?? variationKey, key: variationKey, name: nil, weight: 100, isRunning: true, changes: [])
        let experience = Experience(
            id: experienceID ?? experienceKey, key: experienceKey, name: nil, environment: nil, audiences: [],
            matching: .any, locations: [], variations: [variation])
        let project = Project(ProjectConfig(accountID: "0", projectID: "0", experiences: [experience]))
        self.init(
            Selection(experience: 0, variation: 0, source: source),
            share: ProjectHandle(project, madeBucketValue: bucketingAllocation))
    }
}
