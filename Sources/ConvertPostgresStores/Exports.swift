#if Postgres
// What every store reports and throws is part of this module's interface.
@_exported public import ConvertStoreSupport
#endif
