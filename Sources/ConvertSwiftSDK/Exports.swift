// The types of lower modules whose names apps usually write. Values of other types, such as an explanation, can be used
// without an import; to name those types, an app imports their module.
@_exported public import struct ConvertECMAScript.JSObject
@_exported public import enum ConvertECMAScript.JSValue
@_exported public import protocol ConvertECMAScript.JSValueConvertible
@_exported public import struct ConvertSwiftSDKCore.BucketedFeature
@_exported public import struct ConvertSwiftSDKCore.BucketedVariation
@_exported public import struct ConvertSwiftSDKCore.ConversionOptions
@_exported public import struct ConvertSwiftSDKCore.Decision
@_exported public import struct ConvertSwiftSDKCore.DecisionOptions
