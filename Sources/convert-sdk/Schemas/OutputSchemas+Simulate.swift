import ConvertAnalysis

extension OutputSchemas {
    static let simulate = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Simulation",
          "type": "object",
          "required": [
            "visitors", "environment", "unreadAttributes", "errors", "repeatedVisitors", "experiences", "pairs",
            "pairCount", "exclusions", "overlaps", "experiencesPerVisitor"
          ],
          "properties": {
            "visitors": {"type": "integer"},
            "seed": {"description": "With --generate.", "type": "integer"},
            "environment": {"type": "string"},
            "environmentNote": {
              "description": "Why no visitor is eligible, if no experience runs in the environment.", "type": "string"
            },
            "unreadAttributes": {
              "description": "Attributes of visitors that no rule reads.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "nearest": {"type": "string"}}
              }
            },
            "errors": {"description": "Records that are not valid visitors.", "type": "integer"},
            "repeatedVisitors": {
              "description": "Visitors with the id of an earlier one, of the first million ids.", "type": "integer"
            },
            "ignoredStored": {
              "description": "What is wrong with the first stored decision that is ignored.", "type": "string"
            },
            "experiences": {"type": "array", "items": {"$ref": "#/$defs/experience"}},
            "pairs": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["first", "second", "both", "chiSquare", "degreesOfFreedom", "p", "isDependent"],
                "properties": {
                  "first": {"type": "string"},
                  "second": {"type": "string"},
                  "both": {"type": "integer"},
                  "chiSquare": {"type": "number"},
                  "degreesOfFreedom": {"type": "integer"},
                  "p": {"$ref": "#/$defs/share"},
                  "isDependent": {"type": "boolean"},
                  "table": {
                    "description": "Visitors by both variations, if they depend on each other.",
                    "type": "object",
                    "required": ["rows", "columns", "visitors"],
                    "properties": {
                      "rows": {"type": "array", "items": {"type": "string"}},
                      "columns": {"type": "array", "items": {"type": "string"}},
                      "visitors": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
                    }
                  }
                }
              }
            },
            "pairCount": {"type": "integer"},
            "exclusions": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "experience", "audience", "other", "keepsOut", "both", "otherOnly", "isDecidedLater", "keptOut",
                  "keptOutAlone"
                ],
                "properties": {
                  "experience": {"type": "string"},
                  "audience": {"type": "string"},
                  "other": {"type": "string"},
                  "keepsOut": {"type": "boolean"},
                  "both": {"type": "integer"},
                  "otherOnly": {"type": "integer"},
                  "isDecidedLater": {"type": "boolean"},
                  "keptOut": {
                    "description":
                      "Visitors who meet all other entry conditions and are kept out by this audience.",
                    "type": "integer"
                  },
                  "keptOutAlone": {"description": "The part of keptOut that gets in without it.", "type": "integer"}
                }
              }
            },
            "overlaps": {
              "type": "object",
              "required": ["experiences", "visitors"],
              "properties": {
                "experiences": {"type": "array", "items": {"type": "string"}},
                "visitors": {
                  "description": "For each experience a row with the visitors whom it shares with each.",
                  "type": "array", "items": {"type": "array", "items": {"type": "integer"}}
                }
              }
            },
            "experiencesPerVisitor": {"type": "array", "items": {"type": "integer"}},
            "planner": {
              "description": "With --baseline.",
              "type": "object",
              "required": ["baseline", "power", "significance", "visitorsPerDay", "effect", "length", "experiences"],
              "properties": {
                "baseline": {"$ref": "#/$defs/share"},
                "power": {"$ref": "#/$defs/share"},
                "significance": {"$ref": "#/$defs/share"},
                "visitorsPerDay": {"type": "number"},
                "effect": {"description": "Relative to the baseline; for days.", "type": "number"},
                "length": {"description": "In days; for detectableEffect.", "type": "number"},
                "experiences": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["key", "visitorsPerDay", "comparisons"],
                    "properties": {
                      "key": {"type": "string"},
                      "visitorsPerDay": {"type": "number"},
                      "detectableEffect": {"description": "Relative to the baseline.", "type": "number"},
                      "detectableDifference": {"description": "Of the conversion rates.", "type": "number"},
                      "days": {"type": "number"},
                      "comparisons": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["variation", "control", "visitorsPerDay", "controlPerDay"],
                          "properties": {
                            "variation": {"type": "string"},
                            "control": {"type": "string"},
                            "visitorsPerDay": {"type": "number"},
                            "controlPerDay": {"type": "number"},
                            "detectableEffect": {"type": "number"},
                            "detectableDifference": {"type": "number"},
                            "days": {"type": "number"}
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          },
          "$defs": {
            "share": {"type": "number", "minimum": 0},
            "experience": {
              "type": "object",
              "required": [
                "key", "id", "eligible", "eligibleByRuleValues", "eligibleWithoutExclusions", "starvedBy",
                "eligibleShare", "bucketed", "reasons", "variations", "audiences"
              ],
              "properties": {
                "key": {"type": "string"},
                "id": {"type": "string"},
                "environment": {"description": "The only one in which it runs.", "type": "string"},
                "eligible": {"type": "integer"},
                "eligibleByRuleValues": {
                  "description": "Visitors that are eligible only by values that the config's own rules name.",
                  "type": "integer"
                },
                "eligibleWithoutExclusions": {"type": "integer"},
                "starvedBy": {"type": "array", "items": {"type": "string"}},
                "eligibleShare": {"$ref": "#/$defs/share"},
                "bucketed": {"type": "integer"},
                "reasons": {"description": "Numbers of visitors without a variation, by reason.", "type": "object"},
                "variations": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["id", "bucketShare", "observed", "expected", "stored", "trafficShare"],
                    "properties": {
                      "key": {"type": "string"},
                      "id": {"type": "string"},
                      "bucketShare": {"$ref": "#/$defs/share"},
                      "observed": {"type": "integer"},
                      "stored": {"description": "The part of observed that kept a stored decision.", "type": "integer"},
                      "expected": {"type": "number"},
                      "trafficShare": {"$ref": "#/$defs/share"}
                    }
                  }
                },
                "ratio": {"$ref": "#/$defs/ratio"},
                "audiences": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["key", "id", "observed"],
                    "properties": {
                      "key": {"type": "string"},
                      "id": {"type": "string"},
                      "matched": {"type": "integer"},
                      "observed": {"type": "array", "items": {"type": "integer"}},
                      "ratio": {"$ref": "#/$defs/ratio"}
                    }
                  }
                }
              }
            },
            "ratio": {
              "type": "object",
              "required": ["method", "degreesOfFreedom", "p", "tests", "adjustedP", "mismatch", "verdict"],
              "properties": {
                "method": {"enum": [\#(methods)]},
                "chiSquare": {"type": "number"},
                "degreesOfFreedom": {"type": "integer"},
                "p": {"$ref": "#/$defs/share"},
                "tests": {"description": "Number of tests of this kind.", "type": "integer"},
                "adjustedP": {"$ref": "#/$defs/share"},
                "mismatch": {"type": "boolean"},
                "verdict": {"enum": [\#(verdicts)]}
              }
            }
          }
        }
        """#

    static let methods = SchemaName.elements(SampleRatioTest.Method.allCases.map(\.rawValue))
}
