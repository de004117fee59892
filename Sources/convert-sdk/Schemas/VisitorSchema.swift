/// The schemas of visitors' lines and of files with tests.
enum VisitorSchema {
    static let json = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Visitor",
          "description": "One line of the files that assign, simulate and diff read, and a witness that lint prints.",
        \#(members)
        }
        """#

    /// A visitor, as members of a schema.
    static let members = #"""
          "type": "object",
          "required": ["visitorId"],
          "additionalProperties": false,
          "properties": {
        \#(properties)
          }
        """#

    /// The members of a visitor.
    private static let properties = #"""
            "visitorId": {"description": "A number counts as its text.", "type": ["string", "number"], "minLength": 1},
            "attributes": {"type": ["object", "null"]},
            "locationProperties": {
              "description": "Null: nothing is known, so no location matches.", "type": ["object", "null"]
            },
            "stored": {
              "description": "What is stored of the visitor.",
              "type": ["object", "null"],
              "properties": {
                "bucketing": {"description": "Variation ids by experience id.", "type": "object"},
                "segments": {"type": "object"},
                "goals": {"description": "True for each goal that was triggered.", "type": "object"},
                "locations": {"type": "array", "items": {"type": ["string", "null"]}}
              }
            }
        """#

    /// The same members, indented for a definition within another schema.
    static let nestedMembers = indented(members, by: 4)

    private static func indented(_ json: String, by count: Int) -> String {
        json.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }

    /// The schema of a file with tests, without comments.
    static let tests = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Tests",
          "description": "A line of a decision log can be a test; its other members are allowed.",
          "type": "object",
          "required": ["tests"],
          "properties": {
            "tests": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["visitorId"],
                "properties": {
                  "name": {"type": "string"},
        \#(indented(properties, by: 6)),
                  "environment": {"type": "string"},
                  "decisions": {
                    "description": "The expected variation of experiences, by key; null for no variation.",
                    "type": "object"
                  },
                  "features": {
                    "description": "The expected features by key, as 'assign --features' writes them.",
                    "type": "object"
                  }
                }
              }
            }
          }
        }
        """#
}
