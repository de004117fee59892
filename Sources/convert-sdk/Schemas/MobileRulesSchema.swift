/// The schema of a `rules.json`.
///
/// It describes documents that cause no warnings. The reader accepts more.
enum MobileRulesSchema {
    static let json = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Mobile rules",
          "type": "object",
          "required": ["version", "rules"],
          "properties": {
            "version": {"type": "integer"},
            "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}}
          },
          "$defs": {
        \#(rules),
        \#(details)
          }
        }
        """#

    private static let rules = #"""
            "rule": {
              "type": "object",
              "required": ["condition", "consequences"],
              "properties": {
                "condition": {"$ref": "#/$defs/condition"},
                "consequences": {"type": "array", "items": {"$ref": "#/$defs/consequence"}},
                "meta": {
                  "anyOf": [{"type": "null"}, {"$ref": "#/$defs/meta"}]
                }
              }
            },
            "meta": {"type": "object", "properties": {"reEvaluate": {"type": "boolean"}}},
            "condition": {
              "type": "object",
              "required": ["type", "definition"],
              "properties": {"type": {"enum": ["group", "matcher", "historical"]}, "definition": {"type": "object"}},
              "allOf": [
                {
                  "if": {"properties": {"type": {"const": "group"}}},
                  "then": {"properties": {"definition": {"$ref": "#/$defs/group"}}}
                },
                {
                  "if": {"properties": {"type": {"const": "matcher"}}},
                  "then": {"properties": {"definition": {"$ref": "#/$defs/matcher"}}}
                },
                {
                  "if": {"properties": {"type": {"const": "historical"}}},
                  "then": {"properties": {"definition": {"$ref": "#/$defs/historical"}}}
                }
              ]
            },
            "group": {
              "type": "object",
              "required": ["logic", "conditions"],
              "properties": {
                "logic": {"enum": ["and", "or"]},
                "conditions": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/condition"}}
              }
            },
            "matcher": {
              "type": "object",
              "required": ["key", "matcher"],
              "properties": {
                "key": {"type": "string"},
                "matcher": {"enum": ["eq", "ne", "gt", "ge", "lt", "le", "co", "nc", "sw", "ew", "ex", "nx"]},
                "values": {"type": ["array", "null"], "items": {"type": ["string", "number", "boolean"]}}
              }
            },
            "historical": {
              "type": "object",
              "required": ["events", "matcher", "value"],
              "properties": {
                "events": {"type": "array", "items": {"type": "object"}},
                "matcher": {"enum": ["eq", "ne", "gt", "ge", "lt", "le"]},
                "value": {"type": "integer"},
                "from": {"description": "Milliseconds since 1970.", "type": ["integer", "null"]},
                "to": {"description": "Milliseconds since 1970.", "type": ["integer", "null"]},
                "searchType": {"enum": ["any", "ordered", "mostRecent", null]}
              }
            },
            "consequence": {
              "type": "object",
              "required": ["id", "type", "detail"],
              "properties": {
                "id": {"type": "string"},
                "type": {"description": "Other types are handed to the app.", "type": "string"},
                "detail": {"type": "object"}
              },
              "allOf": [
        \#(kinds)
              ]
            }
        """#

    /// The schema of each type of consequence's detail.
    private static let kinds = [
        ("add", "merge"), ("mod", "merge"), ("dispatch", "dispatch"), ("schema", "schema"), ("csp", "profile"),
        ("pb", "signal"), ("pii", "signal"), ("url", "link"), ("iam", "message"), ("an", "analytics"),
    ].map { type, detail in
        #"""
                {
                  "if": {"properties": {"type": {"const": "\#(type)"}}},
                  "then": {"properties": {"detail": {"$ref": "#/$defs/\#(detail)"}}}
                }
        """#
    }.joined(separator: ",\n")

    private static let details = #"""
            "merge": {"type": "object", "required": ["eventdata"], "properties": {"eventdata": {"type": "object"}}},
            "dispatch": {
              "type": "object",
              "required": ["type", "source", "eventdataaction"],
              "properties": {
                "type": {"type": "string"},
                "source": {"type": "string"},
                "eventdataaction": {"enum": ["copy", "new"]},
                "eventdata": {"type": ["object", "null"]}
              }
            },
            "schema": {
              "type": "object",
              "required": ["id", "schema", "data"],
              "properties": {"id": {"type": "string"}, "schema": {"type": "string"}, "data": {"type": "object"}},
              "if": {"properties": {"schema": {"const": "https://ns.adobe.com/personalization/eventHistoryOperation"}}},
              "then": {"properties": {"data": {"$ref": "#/$defs/historyOperation"}}}
            },
            "historyOperation": {
              "type": "object",
              "required": ["operation", "content"],
              "properties": {
                "operation": {"enum": ["insert", "insertIfNotExists"]},
                "content": {"type": "object"}
              }
            },
            "profile": {
              "type": "object",
              "required": ["operation", "key"],
              "properties": {
                "operation": {"enum": ["write", "delete"]},
                "key": {"type": "string"},
                "value": {}
              }
            },
            "signal": {
              "type": "object",
              "required": ["templateurl"],
              "properties": {
                "templateurl": {"type": "string"},
                "templatebody": {"type": ["string", "null"]},
                "contenttype": {"type": ["string", "null"]},
                "timeout": {"description": "Seconds.", "type": ["number", "null"]}
              }
            },
            "link": {"type": "object", "required": ["url"], "properties": {"url": {"type": "string"}}},
            "message": {
              "description": "Handed to the app.",
              "type": "object",
              "required": ["template"],
              "properties": {
                "template": {"type": "string"},
                "html": {}, "remoteAssets": {}, "title": {}, "content": {}, "cancel": {}, "confirm": {}, "url": {},
                "wait": {}, "date": {}, "adb_deeplink": {}, "userData": {}, "category": {}, "sound": {}
              }
            },
            "analytics": {
              "description": "Handed to the app.",
              "type": "object",
              "properties": {"action": {}, "state": {}, "contextdata": {}}
            }
        """#
}
