#if Postgres
// `StorageError` and `StoreDiagnostic` are part of this module's interface.
@_exported public import ConvertStoreSupport
#endif
