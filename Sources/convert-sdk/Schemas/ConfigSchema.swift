/// The schema of a project config.
///
/// It describes configs that cause no diagnostics. The reader accepts more, as the JavaScript SDK does.
enum ConfigSchema {
    static let json = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Project config",
          "description": "A config that this schema accepts is read without a diagnostic. Unknown members are ignored.",
          "type": "object",
          "required": ["account_id", "project"],
          "properties": {
            "account_id": {"$ref": "#/$defs/id"},
            "project": {
              "type": "object",
              "required": ["id"],
              "properties": {
                "id": {"$ref": "#/$defs/id"},
                "name": {"$ref": "#/$defs/text"},
                "type": {"$ref": "#/$defs/text"},
                "environments": {"type": ["object", "array", "null"]},
                "settings": {"type": ["object", "null"]}
              }
            },
            "experiences": {"type": ["array", "null"], "items": {"$ref": "#/$defs/experience"}},
            "audiences": {"type": ["array", "null"], "items": {"$ref": "#/$defs/audience"}},
            "locations": {"type": ["array", "null"], "items": {"$ref": "#/$defs/place"}},
            "segments": {"type": ["array", "null"], "items": {"$ref": "#/$defs/place"}},
            "features": {"type": ["array", "null"], "items": {"$ref": "#/$defs/feature"}},
            "goals": {"type": ["array", "null"], "items": {"$ref": "#/$defs/goal"}},
            "archived_experiences": {"type": ["array", "null"], "items": {"$ref": "#/$defs/id"}},
            "error": {"description": "Anything else is the server's refusal.", "enum": [null, false, "", 0]}
          },
          "$defs": {
        \#(entities),
        \#(rules)
          }
        }
        """#

    private static let entities = #"""
            "id": {
              "description": "Text or a number; not empty and not 0.",
              "type": ["string", "number"], "minLength": 1, "not": {"const": 0}
            },
            "ids": {"type": ["array", "null"], "items": {"$ref": "#/$defs/id"}},
            "text": {"type": ["string", "null"]},
            "key": {"description": "What code names the entity by.", "type": ["string", "null"], "minLength": 1},
            "experience": {
              "type": "object",
              "required": ["id"],
              "properties": {
                "id": {"$ref": "#/$defs/id"},
                "key": {"$ref": "#/$defs/key"},
                "name": {"$ref": "#/$defs/text"},
                "type": {"$ref": "#/$defs/text"},
                "status": {"description": "Informational.", "$ref": "#/$defs/text"},
                "version": {
                  "description": "If it is above 11, variations keep their ranges of bucket values when others stop.",
                  "type": ["number", "string", "null"]
                },
                "environment": {"description": "Where it runs; everywhere if empty.", "$ref": "#/$defs/text"},
                "environments": {
                  "description": "Informational: it restricts no visitor.",
                  "type": ["array", "null"], "items": {"type": "string"}
                },
                "settings": {
                  "type": ["object", "null"],
                  "properties": {
                    "matching_options": {
                      "type": ["object", "null"],
                      "properties": {
                        "audiences": {"enum": ["any", "all", null]},
                        "locations": {"description": "Not read: any location is enough.", "enum": ["any", "all", null]}
                      }
                    }
                  }
                },
                "locations": {"$ref": "#/$defs/ids"},
                "site_area": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/rules"}]},
                "audiences": {"$ref": "#/$defs/ids"},
                "goals": {"$ref": "#/$defs/ids"},
                "variations": {"type": ["array", "null"], "items": {"$ref": "#/$defs/variation"}}
              }
            },
            "variation": {
              "type": "object",
              "required": ["id"],
              "properties": {
                "id": {"$ref": "#/$defs/id"},
                "key": {"$ref": "#/$defs/key"},
                "name": {"$ref": "#/$defs/text"},
                "status": {"description": "It runs if this is 'running', empty or missing.", "$ref": "#/$defs/text"},
                "traffic_allocation": {"description": "Percent.", "type": ["number", "null"], "minimum": 0},
                "changes": {"type": ["array", "null"], "items": {"$ref": "#/$defs/change"}}
              }
            },
            "change": {
              "type": "object",
              "properties": {"type": {"$ref": "#/$defs/text"}},
              "if": {"properties": {"type": {"const": "fullStackFeature"}}, "required": ["type"]},
              "then": {
                "required": ["data"],
                "properties": {
                  "data": {
                    "type": "object",
                    "required": ["feature_id"],
                    "properties": {
                      "feature_id": {"$ref": "#/$defs/id"},
                      "variables_data": {"type": ["object", "null"]}
                    }
                  }
                }
              }
            },
            "audience": {
              "type": "object",
              "required": ["id", "rules"],
              "properties": {
                "id": {"$ref": "#/$defs/id"},
                "key": {"$ref": "#/$defs/key"},
                "name": {"$ref": "#/$defs/text"},
                "type": {
                  "description": "A permanent audience is not checked again for a visitor with a stored decision.",
                  "enum": ["permanent", "transient", "segmentation", null]
                },
                "rules": {"$ref": "#/$defs/rules"}
              }
            },
            "place": {
              "description": "A location or a segment.",
              "type": "object",
              "required": ["id", "rules"],
              "properties": {
                "id": {"$ref": "#/$defs/id"},
                "key": {"$ref": "#/$defs/key"},
                "name": {"$ref": "#/$defs/text"},
                "rules": {"$ref": "#/$defs/rules"}
              }
            },
            "feature": {
              "type": "object",
              "required": ["id"],
              "properties": {
                "id": {"$ref": "#/$defs/id"},
                "key": {"$ref": "#/$defs/key"},
                "name": {"$ref": "#/$defs/text"},
                "variables": {
                  "type": ["array", "null"],
                  "items": {
                    "type": "object",
                    "required": ["key"],
                    "properties": {
                      "key": {"type": "string"},
                      "type": {"enum": ["boolean", "integer", "float", "string", "json", null]}
                    }
                  }
                }
              }
            },
            "goal": {
              "type": "object",
              "required": ["id"],
              "properties": {
                "id": {"$ref": "#/$defs/id"},
                "key": {"$ref": "#/$defs/key"},
                "name": {"$ref": "#/$defs/text"},
                "type": {"$ref": "#/$defs/text"},
                "rules": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/rules"}]}
              }
            }
        """#
}
