// A module that imports this one can use Foundation's types as attributes.
@_exported public import ConvertValues
