// An app that imports this module has the values that events and consequences are made of.
@_exported public import ConvertECMAScript
