extension Decision {
    /// A decision for `variation`, for code that is tested without an SDK.
    public init(_ variation: BucketedVariation) { self = variation.decision }

    /// A decision for no variation, for code that is tested without an SDK.
    public init(reason: Reason) { self = .none(reason) }
}
