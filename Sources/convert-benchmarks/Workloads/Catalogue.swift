/// All workloads, in the order in which they run. A new workload needs its own file and a line here.
enum Catalogue {
    static let workloads: [Workload] =
        Yardstick.workloads
        + DecideOne.workloads
        + [Swapping.workload]
        + DecideAll.workloads
        + SDKContexts.workloads
        + [AppContexts.workload, RemoteEvaluations.workload]
        + EvaluateRules.workloads
        + RegularExpressions.workloads
        + [BucketValue.workload]
        + AssignPopulation.workloads
        + MobileRules.workloads
        + EventHistories.workloads
        + DurableTracking.workloads
        + SQLiteLedgers.workloads
        + SharedStores.workloads
        + LoadConfig.workloads
        + ParseJSON.workloads
        + AnalyzeConfig.workloads

    static func workload(_ id: String) -> Workload? { workloads.first { $0.id == id } }
}
