import ConvertAnalysis
import ConvertSwiftSDKCore

/// The schemas of the tool's output with `--json`. New versions may add members, but keep the existing ones.
enum OutputSchemas {
    static let decide = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Decisions",
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "experienceKey": {"type": "string"},
              "experienceId": {"type": "string"},
              "variationId": {"type": "string"},
              "variationKey": {"type": "string"},
              "bucketingAllocation": {"description": "The visitor's bucket value.", "type": "integer"},
              "source": {"description": "Where the variation comes from.", "type": "string"},
              "reason": {"description": "Why there is no variation.", "type": "string"},
              "explanation": {"description": "With --explain. Its members may change.", "type": "object"},
              "featureKey": {"description": "With --log-line: the feature of the line.", "type": "string"},
              "feature": {"description": "The visitor's value of the feature, in the form of a decision log."},
              "featureExplanation": {"description": "With --explain. Its members may change.", "type": "object"},
              "logged": {"description": "With --log-line: what the line has; empty if nothing.", "type": "string"},
              "differs": {
                "description": "With --log-line: whether the decision differs from the logged one.", "type": "boolean"
              },
              "withheld": {
                "description": "Names of withheld data that may have caused the difference.",
                "type": "array", "items": {"type": "string"}
              }
            },
            "anyOf": [
              {"required": ["experienceKey", "variationId", "source"]}, {"required": ["experienceKey", "reason"]},
              {"required": ["featureKey", "reason"]}
            ]
          }
        }
        """#

    static let features = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Features",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["status"],
            "properties": {
              "id": {"type": "string"},
              "key": {"type": "string"},
              "status": {"enum": ["enabled", "disabled"]},
              "variables": {"type": "object"},
              "experienceId": {"type": "string"},
              "experienceKey": {"type": "string"},
              "reason": {"description": "Why the feature is off.", "type": "string"},
              "explanation": {"description": "With --explain. Its members may change.", "type": "object"}
            }
          }
        }
        """#

    static let rules = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Mobile rules, evaluated",
          "type": "object",
          "required": ["results"],
          "properties": {
            "results": {
              "description": "One for the event, and one for each event that a consequence dispatches.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["event", "matchedRules", "consequences", "dispatched", "recorded"],
                "properties": {
                  "event": {"$ref": "#/$defs/event"},
                  "matchedRules": {
                    "description": "Indices into the rules.", "type": "array", "items": {"type": "integer"}
                  },
                  "consequences": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["id", "type", "detail", "isHandedOn"],
                      "properties": {
                        "id": {"type": "string"},
                        "type": {"type": "string"},
                        "detail": {"description": "With its tokens replaced.", "type": "object"},
                        "isHandedOn": {"description": "Whether the app gets it.", "type": "boolean"}
                      }
                    }
                  },
                  "dispatched": {"type": "array", "items": {"$ref": "#/$defs/event"}},
                  "recorded": {"type": "array", "items": {"type": "object"}}
                }
              }
            },
            "explanation": {"description": "With --explain. Its members may change.", "type": "object"}
          },
          "$defs": {
            "event": {
              "type": "object",
              "required": ["type", "source"],
              "properties": {
                "type": {"type": "string"}, "source": {"type": "string"}, "data": {"type": "object"}
              }
            }
          }
        }
        """#

    static let lint = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Findings",
          "type": "object",
          "required": ["findings"],
          "properties": {
            "findings": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "code", "severity", "path", "place", "entity", "message", "remedy", "witness", "contrast", "because",
                  "undecided"
                ],
                "properties": {
                  "code": {"enum": [\#(codes)]},
                  "severity": {"enum": [\#(severities)]},
                  "path": {"description": "A JSON path in the config.", "type": "string"},
                  "place": {
                    "description": "The path with keys in place of indices, for --ignore and --baseline.",
                    "type": "string"
                  },
                  "entity": {"description": "Kind and key of the entity.", "type": ["string", "null"]},
                  "message": {"type": "string"},
                  "remedy": {"type": "string"},
                  "witness": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/visitor"}]},
                  "contrast": {
                    "description":
                      "A visitor like the witness with another answer; null if the finding does not compare visitors.",
                    "anyOf": [{"type": "null"}, {"$ref": "#/$defs/visitor"}]
                  },
                  "because": {
                    "description": "The finding that this one follows from.",
                    "type": ["object", "null"],
                    "required": ["code", "path"],
                    "properties": {"code": {"enum": [\#(codes)]}, "path": {"type": "string"}}
                  },
                  "undecided": {"description": "Whether the search gave up.", "type": "boolean"}
                }
              }
            }
          },
          "$defs": {
            "visitor": {
        \#(VisitorSchema.nestedMembers)
            }
          }
        }
        """#

    private static let codes = SchemaName.elements(LintCode.allCases.map(\.rawValue))
    private static let severities = SchemaName.elements(LintFinding.Severity.allCases.map(\.rawValue))
}
