// Answers hold a reference to the whole project, which neither descriptions nor dumps are to show.

extension BucketedVariation: CustomStringConvertible, CustomReflectable {
    /// The keys of experience and variation, and where the decision came from.
    public var description: String {
        "BucketedVariation(experience: \(experienceKey), variation: \(variationKey ?? variationID), \(source))"
    }

    /// A mirror of what the variation says.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "experienceID": experienceID, "experienceKey": experienceKey, "variationID": variationID,
                "variationKey": variationKey as Any, "source": source,
                "bucketingAllocation": bucketingAllocation as Any,
            ])
    }
}

extension BucketedFeature: CustomStringConvertible, CustomReflectable {
    /// The feature's key, whether the visitor has it, and the key of the experience that carries it.
    public var description: String {
        let carrier = experienceKey.map { ", experience: \($0)" } ?? ""
        return "BucketedFeature(\(key ?? id ?? ""), \(status)\(carrier))"
    }

    /// A mirror of what the feature says.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id as Any, "key": key as Any, "name": name as Any, "status": status,
                "variables": variables as Any, "experienceID": experienceID as Any,
                "experienceKey": experienceKey as Any, "experienceName": experienceName as Any,
            ])
    }
}
