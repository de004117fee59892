// What apps name of the modules below. Values of other types, such as an explanation, are used without an import. An
// app that writes the names of those types imports their module.
@_exported public import struct ConvertECMAScript.JSObject
@_exported public import enum ConvertECMAScript.JSValue
@_exported public import protocol ConvertECMAScript.JSValueConvertible
@_exported public import struct ConvertSwiftSDKCore.BucketedFeature
@_exported public import struct ConvertSwiftSDKCore.BucketedVariation
@_exported public import struct ConvertSwiftSDKCore.ConversionOptions
@_exported public import struct ConvertSwiftSDKCore.Decision
@_exported public import struct ConvertSwiftSDKCore.DecisionOptions
