// A test that imports this module can use the SDK and its values in assertions.
@_exported public import ConvertSwiftSDK
