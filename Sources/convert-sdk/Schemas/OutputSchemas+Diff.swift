import ConvertAnalysis

extension OutputSchemas {
    private static let changes = SchemaName.elements(ConfigDifference.Change.allCases.map(\.rawValue))
    private static let disturbances = SchemaName.elements(ConfigDifference.Disturbance.allCases.map(\.rawValue))
    private static let audienceChanges = SchemaName.elements(ConfigDifference.AudienceChange.allCases.map(\.rawValue))

    static let diff = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Difference",
          "type": "object",
          "required": ["experiences", "features", "goals", "segments", "rules", "headline", "disturbed"],
          "properties": {
            "headline": {
              "description": "A summary: disturbed experiments, lost decisions, and keys that no longer work.",
              "type": "string"
            },
            "disturbed": {
              "description": "Keys of the running experiences that it disturbs.",
              "type": "array", "items": {"type": "string"}
            },
            "experiences": {"type": "array", "items": {"$ref": "#/$defs/experience"}},
            "features": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["key", "change", "experiences", "values"],
                "properties": {
                  "key": {"type": "string"},
                  "oldKey": {"description": "The key before, if it is another one.", "type": "string"},
                  "lostKey": {"description": "The key by which calls get nothing any more.", "type": "string"},
                  "recipients": {
                    "description": "Experiences that carry it as before and give it to other visitors.",
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["experience", "moved", "storedMoved", "entered", "left", "losesDecisions"],
                      "properties": {
                        "experience": {"type": "string"},
                        "moved": {"$ref": "#/$defs/share"},
                        "storedMoved": {"$ref": "#/$defs/share"},
                        "entered": {"type": "boolean"},
                        "left": {"type": "boolean"},
                        "losesDecisions": {"type": "boolean"}
                      }
                    }
                  },
                  "order": {
                    "description": "What another order of the experiences that carry it changes.",
                    "type": "object",
                    "required": ["experiences", "moved", "visitor", "environment"],
                    "properties": {
                      "experiences": {
                        "description": "The experiences that visitors read first now.",
                        "type": "array", "items": {"type": "string"}
                      },
                      "moved": {
                        "description":
                          "The affected share of new visitors; null if attributes or stored decisions matter too.",
                        "type": ["number", "null"]
                      },
                      "visitor": {"$ref": "#/$defs/witness"},
                      "environment": {"type": ["string", "null"]}
                    }
                  },
                  "population": {
                    "type": "object",
                    "required": ["moved", "unknowable"],
                    "properties": {"moved": {"type": "integer"}, "unknowable": {"type": "integer"}}
                  },
                  "change": {"type": "string"},
                  "experiences": {"type": "array", "items": {"type": "string"}},
                  "values": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["experience", "variation", "before", "after", "dealtBefore", "dealtAfter"],
                      "properties": {
                        "experience": {"type": "string"},
                        "variation": {"type": "string"},
                        "before": {"type": ["string", "null"]},
                        "after": {"type": ["string", "null"]},
                        "dealtBefore": {"description": "Whether new visitors got it.", "type": "boolean"},
                        "dealtAfter": {"type": "boolean"}
                      }
                    }
                  }
                }
              }
            },
            "goals": {
              "description": "Goals whose keys are gone.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["oldKey", "key"],
                "properties": {"oldKey": {"type": "string"}, "key": {"type": ["string", "null"]}}
              }
            },
            "segments": {
              "description": "Segments whose keys are gone.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["oldKey", "key"],
                "properties": {"oldKey": {"type": "string"}, "key": {"type": ["string", "null"]}}
              }
            },
            "rules": {
              "description": "Goals and segments whose rules may match other conversions or visitors.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["owner", "key", "change", "experiences"],
                "properties": {
                  "owner": {"enum": ["goal", "segment"]},
                  "key": {"type": "string"},
                  "change": {"$ref": "#/$defs/audience"},
                  "experiences": {
                    "description": "Experiences that let in only visitors of this segment.",
                    "type": "array", "items": {"type": "string"}
                  }
                }
              }
            },
            "sampledOneIn": {
              "description": "If counts of visitors are estimates: one in this number was counted.",
              "type": "integer"
            },
            "environment": {
              "description": "The environment of the visitors; absent if lines of a log name it.", "type": "string"
            },
            "visitors": {"description": "With --visitors or --log: how many there are.", "type": "integer"}
          },
          "$defs": {
            "experience": {
              "type": "object",
              "required": [
                "key", "change", "moved", "moves", "movedOf", "shareUnknown", "stored", "audience", "enters", "leaves"
              ],
              "properties": {
                "key": {"type": "string"},
                "oldKey": {"type": "string"},
                "change": {"enum": [\#(changes)]},
                "moved": {
                  "description": "The share of visitors who get another variation or none, or newly get one.",
                  "$ref": "#/$defs/share"
                },
                "movedOf": {
                  "description": "What moved is a share of. rules: new visitors who meet its rules, apart from rules \#
                about other experiences. admitted: an unknown number of them, whom the other experiences let in.",
                  "enum": ["rules", "admitted"]
                },
                "movedEnvironment": {
                  "description": "The environment of these visitors; absent if all where it runs are alike.",
                  "type": "string"
                },
                "shareUnknown": {
                  "description": "Whether further new visitors enter or leave, whose share attributes decide.",
                  "type": "boolean"
                },
                "admittedBefore": {
                  "description": "The share of the visitors who meet its other rules that other experiences let in.",
                  "type": "number"
                },
                "admittedAfter": {"type": "number"},
                "newlyAssigned": {
                  "description": "How visitors who came before without a variation are divided, if unlike new ones.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["variation", "share", "allocated"],
                    "properties": {
                      "variation": {"type": "string"},
                      "share": {"$ref": "#/$defs/share"},
                      "allocated": {"$ref": "#/$defs/share"}
                    }
                  }
                },
                "moves": {"type": "array", "items": {"$ref": "#/$defs/move"}},
                "stored": {
                  "type": "object",
                  "required": ["moved", "moves", "shareUnknown", "audience", "enters", "leaves"],
                  "properties": {
                    "moved": {"description": "Of the visitors with a stored decision.", "$ref": "#/$defs/share"},
                    "shareUnknown": {
                      "description": "Whether further ones of them enter, leave or move, whose share is unknown.",
                      "type": "boolean"
                    },
                    "moves": {"type": "array", "items": {"$ref": "#/$defs/move"}},
                    "audience": {"$ref": "#/$defs/audience"},
                    "enters": {"$ref": "#/$defs/witness"},
                    "leaves": {"$ref": "#/$defs/witness"},
                    "entersEnvironment": {"type": ["string", "null"]},
                    "leavesEnvironment": {"type": ["string", "null"]}
                  }
                },
                "audience": {"$ref": "#/$defs/audience"},
                "enters": {"$ref": "#/$defs/witness"},
                "leaves": {"$ref": "#/$defs/witness"},
                "obstacle": {
                  "description": "Why no new visitor gets a variation now, in words; absent if that is not proven.",
                  "type": "string"
                },
                "exchanged": {
                  "description": "True if it lets in new visitors, but none of the new visitors whom it let in before.",
                  "const": true
                },
                "excludedFrom": {
                  "description": "Experiences from which visitors who lose this one stay excluded.",
                  "type": "array", "items": {"type": "string"}
                },
                "reordered": {
                  "description":
                    "Experiences that its audiences ask about, whose order relative to it changes in calls for all.",
                  "type": "array", "items": {"type": "string"}
                },
                "dependsOn": {
                  "description": "Keys of the changed experiences that its audiences ask about.",
                  "type": "array", "items": {"type": "string"}
                },
                "dependence": {
                  "type": "object",
                  "required": [
                    "change", "newVisitors", "admittedBefore", "admittedAfter", "enters", "leaves",
                    "entersEnvironment", "leavesEnvironment"
                  ],
                  "properties": {
                    "change": {"$ref": "#/$defs/audience"},
                    "newVisitors": {"$ref": "#/$defs/audience"},
                    "admittedBefore": {"type": ["number", "null"]},
                    "admittedAfter": {"type": ["number", "null"]},
                    "enters": {"$ref": "#/$defs/witness"},
                    "leaves": {"$ref": "#/$defs/witness"},
                    "entersEnvironment": {"type": ["string", "null"]},
                    "leavesEnvironment": {"type": ["string", "null"]}
                  }
                },
                "entersEnvironment": {
                  "description": "The environment in which the visitor enters; absent if that does not matter.",
                  "type": "string"
                },
                "leavesEnvironment": {"description": "The environment in which the visitor leaves.", "type": "string"},
                "unknownEnvironment": {"description": "Its environment, which the project lacks.", "type": "string"},
                "ids": {
                  "description": "The ids before and after, if they differ.",
                  "type": "array", "items": {"type": "string"}
                },
                "shadowingId": {
                  "description": "The id of the experience that calls by the key find now, or found before.",
                  "type": "string"
                },
                "undealtMoves": {
                  "description": "Moves of visitors with a stored decision for a variation that no new visitor got.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["from", "to"],
                    "properties": {
                      "from": {"type": "string"},
                      "to": {"description": "Null if the decision is lost.", "type": ["string", "null"]}
                    }
                  }
                },
                "lostDecisions": {
                  "description": "Variations whose ids are gone, so that decisions stored for them are lost.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["variation", "id", "newId"],
                    "properties": {
                      "variation": {"type": "string"},
                      "id": {"type": "string"},
                      "newId": {
                        "description":
                          "The id that the variation with this key has now; null if there is no such variation.",
                        "type": ["string", "null"]
                      }
                    }
                  }
                },
                "disturbance": {"enum": [\#(disturbances)]},
                "renamedVariations": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["from", "to"],
                    "properties": {"from": {"type": "string"}, "to": {"type": "string"}}
                  }
                },
                "environments": {"type": "array", "items": {"type": "string"}},
                "population": {
                  "type": "object",
                  "required": ["moved", "unknowable", "moves"],
                  "properties": {
                    "moved": {"type": "integer"},
                    "kept": {
                      "description": "Visitors who keep their variation though the experience ended.", "type": "integer"
                    },
                    "unknowable": {
                      "description": "Visitors of a log whose lines withhold what decides it.", "type": "integer"
                    },
                    "moves": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["from", "to", "count"],
                        "properties": {
                          "from": {"type": ["string", "null"]},
                          "to": {"type": ["string", "null"]},
                          "count": {"type": "integer"}
                        }
                      }
                    }
                  }
                }
              }
            },
            "share": {
              "description": "A share from 0 to 1 of the visitors that the surrounding object is about.",
              "type": "number", "minimum": 0
            },
            "move": {
              "type": "object",
              "required": ["from", "to", "share"],
              "properties": {
                "from": {"description": "A variation; null for none.", "type": ["string", "null"]},
                "to": {"type": ["string", "null"]},
                "share": {"$ref": "#/$defs/share"}
              }
            },
            "audience": {"enum": [\#(audienceChanges)]},
            "witness": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/visitor"}]},
            "visitor": {
        \#(VisitorSchema.nestedMembers)
            }
          }
        }
        """#
}
