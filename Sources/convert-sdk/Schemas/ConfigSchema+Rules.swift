import ConvertSwiftSDKCore

extension ConfigSchema {
    /// The definitions of rules and of their conditions.
    static let rules = #"""
            "rules": {
              "description": "Holds if one block of OR holds.",
              "type": "object",
              "required": ["OR"],
              "properties": {
                "OR": {
                  "type": "array", "minItems": 1,
                  "items": {
                    "description": "Holds if all clauses of AND hold.",
                    "type": "object",
                    "required": ["AND"],
                    "properties": {
                      "AND": {
                        "type": "array", "minItems": 1,
                        "items": {
                          "description": "Holds if one leaf of OR_WHEN holds.",
                          "type": "object",
                          "required": ["OR_WHEN"],
                          "properties": {
                            "OR_WHEN": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/leaf"}}
                          }
                        }
                      }
                    }
                  }
                }
              }
            },
            "leaf": {
              "type": "object",
              "required": ["matching"],
              "properties": {
                "rule_type": {"$ref": "#/$defs/text"},
                "key": {"description": "The attribute; without it, rule_type names it.", "$ref": "#/$defs/text"},
                "value": {"description": "The rule's side of the comparison."},
                "matching": {
                  "type": "object",
                  "required": ["match_type", "negated"],
                  "properties": {
                    "match_type": {"enum": [\#(SchemaName.elements(Operation.wireNames))]},
                    "negated": {"type": "boolean"}
                  }
                }
              },
              "anyOf": [
                {"required": ["value"]},
                {"properties": {"matching": {"properties": {"match_type": {"enum": [\#(presence)]}}}}}
              ]
            }
        """#

    /// The operators that need no value.
    private static let presence = SchemaName.elements(
        Operation.wireNames.filter { Operation(wireName: $0, under: .standard)?.needsNoValue ?? false })
}
