import ConvertAnalysis

/// The output of counts and of decision logs.
extension OutputSchemas {
    static let sampleRatio = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Sample ratio of counts",
          "type": "object",
          "required": [
            "experienceKey", "experienceId", "method", "chiSquare", "degreesOfFreedom", "p", "mismatch", "verdict",
            "variations", "causes"
          ],
          "properties": {
            "experienceKey": {"type": "string"},
            "experienceId": {"type": "string"},
            "method": {"enum": [\#(methods)]},
            "chiSquare": {"description": "Null if it is infinite.", "type": ["number", "null"]},
            "degreesOfFreedom": {"type": "integer"},
            "p": {"type": "number", "minimum": 0},
            "mismatch": {"type": "boolean"},
            "verdict": {"enum": [\#(verdicts)]},
            "variations": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["id", "share", "expected", "observed"],
                "properties": {
                  "key": {"type": "string"},
                  "id": {"type": "string"},
                  "share": {"type": "number", "minimum": 0},
                  "expected": {"type": "number"},
                  "observed": {"type": "integer"}
                }
              }
            },
            "causes": {
              "description": "What can cause the mismatch, the likeliest first.",
              "type": "array", "items": {"type": "string"}
            }
          }
        }
        """#

    static let sampleRatioLog = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Sample ratio of a decision log",
          "type": "object",
          "required": [
            "lines", "errors", "unknownConfigs", "environmentWarnings", "unknownExperiences", "linesWithoutDecision",
            "linesWithoutTime",
            "linesOutOfOrder", "linesWithholdingAttribute", "uncounted", "repeats", "recognizesAllVisitors", "mismatch",
            "experiences"
          ],
          "properties": {
            "lines": {"type": "integer"},
            "errors": {"description": "Lines that could not be read.", "type": "integer"},
            "unknownConfigs": {
              "description": "Configs that lines name and that were not given.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["config", "lines"],
                "properties": {
                  "config": {
                    "description": "The revision; null for lines that name no config, while several are given.",
                    "type": ["string", "null"]
                  },
                  "lines": {"type": "integer"}
                }
              }
            },
            "environmentWarnings": \#(environmentWarnings),
            "unknownExperiences": {
              "description": "Variations of experiences that their config does not have.", "type": "integer"
            },
            "linesWithoutDecision": {
              "description": "Lines without a decision on a tested experience.", "type": "integer"
            },
            "linesWithoutTime": {"description": "Lines without a time as in RFC 3339.", "type": "integer"},
            "linesOutOfOrder": {
              "description": "Lines more than a minute earlier than some line before them.", "type": "integer"
            },
            "linesWithholdingAttribute": {
              "description": "Lines that withhold the attribute of --by.", "type": ["integer", "null"]
            },
            "uncounted": {"$ref": "#/$defs/uncounted"},
            "repeats": {"description": "Decisions of visitors that were counted before.", "type": "integer"},
            "recognizesAllVisitors": {
              "description": "If false, some may be counted twice, and undealt has only a random part of them.",
              "type": "boolean"
            },
            "mismatch": {"description": "Null if no visitor was counted.", "type": ["boolean", "null"]},
            "experiences": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "experienceKey", "experienceId", "method", "visitors", "p", "verdict", "variations", "brokenConfigs",
                  "earlierAllocation", "uncounted", "possiblyLost", "undealt", "brokeAt", "firstBrokenSegment",
                  "configs", "days", "daysInOrder", "segments", "crossoverCount", "crossovers"
                ],
                "properties": {
                  "experienceKey": {"type": "string"},
                  "experienceId": {"type": "string"},
                  "method": {"enum": ["sequential"]},
                  "visitors": {"type": "integer"},
                  "p": {"type": "number", "minimum": 0},
                  "verdict": {"enum": [\#(verdicts)]},
                  "variations": {"type": "array", "items": {"$ref": "#/$defs/variation"}},
                  "brokenConfigs": {
                    "description": "Revisions of the configs whose visitors alone show a mismatch.",
                    "type": "array", "items": {"type": "string"}
                  },
                  "earlierAllocation": {
                    "description": "Whether an allocation before the log explains a mismatch of the counted visitors.",
                    "enum": [\#(earlierAllocations), null]
                  },
                  "uncounted": {"$ref": "#/$defs/uncounted"},
                  "possiblyLost": {
                    "description": "Variations without visitors who had none before, and the least expected numbers.",
                    "type": "array", "items": {"$ref": "#/$defs/variation"}
                  },
                  "undealt": {
                    "description": "Visitors without a variation. Each counts once a day.",
                    "allOf": [{"$ref": "#/$defs/rate"}],
                    "required": ["change", "days", "segments"]
                  },
                  "brokeAt": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/break"}]},
                  "firstBrokenSegment": {"type": ["string", "null"]},
                  "configs": {"type": "array", "items": {"$ref": "#/$defs/group"}},
                  "days": {"type": "array", "items": {"$ref": "#/$defs/group"}},
                  "daysInOrder": {
                    "description": "Whether the log has the days in their order; if not, pSoFar follows the log.",
                    "type": "boolean"
                  },
                  "segments": {"type": "array", "items": {"$ref": "#/$defs/group"}},
                  "crossoverCount": {
                    "description": "How often a visitor got another variation than before.", "type": "integer"
                  },
                  "crossovers": {
                    "description": "The first of them.",
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["visitorId", "from", "to", "fromConfig", "toConfig", "day"],
                      "properties": {
                        "visitorId": {"type": "string"},
                        "from": {"type": "string"},
                        "to": {"type": "string"},
                        "fromConfig": {"type": "string"},
                        "toConfig": {"type": "string"},
                        "day": {"type": ["string", "null"]}
                      }
                    }
                  }
                }
              }
            }
          },
          "$defs": {
            "variation": {
              "type": "object",
              "required": ["name", "observed", "expected"],
              "properties": {
                "name": {"description": "The key, or else the id.", "type": "string"},
                "observed": {"type": "integer"},
                "expected": {"type": "number"}
              }
            },
            "rate": {
              "type": "object",
              "required": ["name", "visitors", "undealt"],
              "properties": {
                "name": {"type": "string"},
                "visitors": {"type": "integer"},
                "undealt": {"type": "integer"},
                "days": {"type": "array", "items": {"$ref": "#/$defs/rate"}},
                "segments": {"type": "array", "items": {"$ref": "#/$defs/rate"}},
                "change": {
                  "description": "Null if the rate is the same, as far as the log tells.",
                  "type": ["object", "null"],
                  "required": ["day", "course", "newValue", "otherRate", "rate", "p"],
                  "properties": {
                    "day": {"description": "The first day of the other rate.", "type": "string"},
                    "course": {
                      "description": "Whether the rate changed with the day, within it, or for that day alone.",
                      "enum": [\#(SchemaName.elements(RateChange.Course.allCases.map(\.rawValue)))]
                    },
                    "newValue": {
                      "description": "Whether the value first appears that day, compared with all visitors before.",
                      "type": "boolean"
                    },
                    "otherRate": {"type": "number"},
                    "rate": {"type": "number"},
                    "p": {"type": "number"}
                  }
                }
              }
            },
            "uncounted": {
              "description": "What is not counted, by reason.",
              "type": "object",
              "required": [
                "storedBefore", "undealtBefore", "forced", "withoutVariation", "unknownVariations", "untoldFeatures"
              ],
              "properties": {
                "storedBefore": {
                  "description": "Visitors who already had a stored variation in their first line.", "type": "integer"
                },
                "undealtBefore": {
                  "description": "Visitors who had no variation under another allocation before.", "type": "integer"
                },
                "forced": {"description": "Decisions that were forced or previewed.", "type": "integer"},
                "withoutVariation": {"type": "integer"},
                "unknownVariations": {
                  "description": "Variations that their config gives to no visitor, and that are new to the visitor.",
                  "type": "integer"
                },
                "untoldFeatures": {
                  "description": "Answers about features that do not tell the variation.", "type": "integer"
                }
              }
            },
            "break": {
              "description": "Since when there is a mismatch (day, config), and where it was found.",
              "type": "object",
              "required": ["day", "config", "line", "time", "foundDay", "foundConfig", "visitors"],
              "properties": {
                "day": {"type": ["string", "null"]},
                "config": {"type": "string"},
                "line": {
                  "description": "The number of usable lines read by then: valid ones whose config was given.",
                  "type": "integer"
                },
                "time": {"type": ["string", "null"]},
                "foundDay": {"type": ["string", "null"]},
                "foundConfig": {"type": "string"},
                "visitors": {"description": "How many had come by then.", "type": "integer"}
              }
            },
            "group": {
              "description": "The visitors of one config, day or value of the attribute.",
              "type": "object",
              "required": ["name", "visitors", "p", "verdict", "variations"],
              "properties": {
                "name": {"type": "string"},
                "visitors": {"type": "integer"},
                "p": {"type": "number", "minimum": 0},
                "verdict": {"enum": [\#(verdicts)]},
                "variations": {"type": "array", "items": {"$ref": "#/$defs/variation"}},
                "pSoFar": {
                  "description": "Of a day: the probability of all visitors until its end.",
                  "type": "number", "minimum": 0
                },
                "firstDay": {"description": "Of a config: the day of its first visitor.", "type": "string"},
                "brokeAt": {"description": "Of a value with a mismatch.", "$ref": "#/$defs/break"}
              }
            }
          }
        }
        """#

    static let replay = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Replay",
          "type": "object",
          "required": [
            "lines", "errors", "decisions", "differences", "unknowable", "otherConfig", "environmentWarnings",
            "routes", "unknowableBy"
          ],
          "properties": {
            "lines": {"type": "integer"},
            "errors": {"description": "Lines that could not be read.", "type": "integer"},
            "decisions": {"type": "integer"},
            "differences": {"type": "integer"},
            "unknowable": {
              "description": "Decisions that cannot be known, because the log withholds what decided them.",
              "type": "integer"
            },
            "otherConfig": {
              "description": "Lines that name another config than the one that was given.", "type": "integer"
            },
            "environmentWarnings": \#(environmentWarnings),
            "otherRoutes": {"description": "How many differences are not among the routes.", "type": "integer"},
            "routes": {
              "description": "The numbers of differing decisions by logged and new answer; the first 10,000 changes.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["logged", "found", "reason", "count"],
                "properties": {
                  "experience": {"type": "string"},
                  "feature": {"type": "string"},
                  "logged": {"description": "Null for no variation or feature.", "type": ["string", "null"]},
                  "found": {"type": ["string", "null"]},
                  "reason": {"type": "string"},
                  "count": {"type": "integer"}
                },
                "anyOf": [{"required": ["experience"]}, {"required": ["feature"]}]
              }
            },
            "unknowableBy": {
              "description": "How many decisions of each experience or feature cannot be known.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["count"],
                "properties": {
                  "experience": {"type": "string"}, "feature": {"type": "string"}, "count": {"type": "integer"}
                },
                "anyOf": [{"required": ["experience"]}, {"required": ["feature"]}]
              }
            }
          }
        }
        """#

    private static let environmentWarnings = #"""
        {
              "description": "Environments of lines that their config does not know, or in which nothing runs.",
              "type": "array",
              "items": {
                "type": "object",
                "required": ["environment", "lines", "text"],
                "properties": {
                  "environment": {"type": "string"}, "lines": {"type": "integer"}, "text": {"type": "string"}
                }
              }
            }
        """#

    private static let earlierAllocations = SchemaName.elements(
        SampleRatioLogReport.EarlierAllocation.allCases.map(\.rawValue))
    static let verdicts = SchemaName.elements(SampleRatioVerdict.allCases.map(\.rawValue))
}
