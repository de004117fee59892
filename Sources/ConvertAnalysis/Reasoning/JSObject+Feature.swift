internal import ConvertECMAScript
internal import ConvertSwiftSDKCore

extension JSObject {
    /// The id of the feature that a change with this data carries, as the engine reads it; `nil` if it carries no
    /// feature.
    var carriedFeatureID: EntityID? {
        EntityID(onWire: self["feature_id"]).flatMap { $0.isTruthy ? $0 : nil }
    }
}
