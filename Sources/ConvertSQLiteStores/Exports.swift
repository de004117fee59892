// The types that every store reports and throws are part of this module's interface.
@_exported public import ConvertStoreSupport
