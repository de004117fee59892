// Foundation's values are attributes for whoever imports this module.
@_exported public import ConvertValues
