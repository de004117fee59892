// An app that imports this module has the values that events and consequences are made of, Foundation's among them.
@_exported public import ConvertECMAScript
@_exported public import ConvertValues
