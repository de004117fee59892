// A test that imports this module has what it asserts on: the SDK and its values.
@_exported public import ConvertSwiftSDK
