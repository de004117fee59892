// A test that imports this module can use the SDK in assertions, and the values that assertions name.
@_exported public import struct ConvertLedgers.EventID
@_exported public import protocol ConvertLedgers.Ledger
@_exported public import struct ConvertLedgers.LedgerEntry
@_exported public import enum ConvertLedgers.LedgerError
@_exported public import struct ConvertLedgers.LedgerEvent
@_exported public import struct ConvertLedgers.LedgerOutcome
@_exported public import class ConvertLedgers.MemoryLedger
@_exported public import struct ConvertLedgers.StoredEvent
@_exported public import protocol ConvertLedgers.VisitorStore
@_exported public import class ConvertLedgers.VisitorStoreLedger
@_exported public import ConvertSwiftSDK
@_exported public import enum ConvertSwiftSDKCore.Conversion
@_exported public import struct ConvertSwiftSDKCore.Explanation
@_exported public import struct ConvertSwiftSDKCore.ProjectConfig
@_exported public import struct ConvertSwiftSDKCore.VisitorState
