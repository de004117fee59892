// A module that imports this one can use the values of events and consequences, including Foundation's types.
@_exported public import ConvertECMAScript
@_exported public import ConvertValues
