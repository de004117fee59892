/// What of a ``Project`` that is gone takes long to free: a millisecond for a megabyte of config. It is freed with the last copy.
package struct ProjectRemains: Sendable {
    private let config: ProjectConfig
    package let program: RuleProgram
    private let carriedFeatures: [CarriedFeature]
    private let segmentIDs: [EntityID]
    private let indexes: [EntityIndex.Frozen]

    init(
        config: ProjectConfig, program: RuleProgram, carriedFeatures: [CarriedFeature], segmentIDs: [EntityID],
        indexes: [EntityIndex.Frozen]
    ) {
        self.config = config
        self.program = program
        self.carriedFeatures = carriedFeatures
        self.segmentIDs = segmentIDs
        self.indexes = indexes
    }
}
