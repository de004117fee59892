/// The examples of Adobe's "Rules Engine technical details", letter for letter.
enum DocumentedExamples {
    static let firstCondition = #"""
          "conditions": [
            {
                "type": "matcher",
                "definition": {
                    "key": "key1",
                    "matcher": "eq",
                    "values": ["value1"]
                }
            }
        ]
        """#

    static let secondCondition = #"""
            {
                "type": "group",
                "definition": {
                    "logic": "or",
                    "conditions": [
                        {
                            "type": "matcher",
                            "definition": {
                                "key": "key1",
                                "matcher": "eq",
                                "values": ["value1", "value2"]
                            }
                        },
                        {
                            "type": "group",
                            "definition": {
                                "logic": "and",
                                "conditions": [
                                    {
                                        "type" : "matcher",
                                        "definition" : {
                                            "key" : "key2",
                                            "matcher" : "ne",
                                            "values" : ["value3"]
                                        }
                                    },
                                    {
                                        "type" : "matcher",
                                        "definition" : {
                                            "key" : "key2",
                                            "matcher" : "ne",
                                            "values" : ["value4"]
                                        }
                                    }
                                ]
                            }
                        }
                    ]
                }
            }
        """#

    static let firstRules = #"""
        {
        "version" : 1,
        "rules" : [
            {
                "condition" : {
                    "type" : "group",
                    "definition" : {
                        "logic" : "and",
                        "conditions" : [
                            {
                                "type" : "group",
                                "definition" : {
                                    "logic" : "or",
                                    "conditions" : [
                                        {
                                            "type" : "matcher",
                                            "definition" : {
                                                "key" : "key1",
                                                "matcher" : "eq",
                                                "values" : ["value1", "value2"]
                                            }
                                        },
                                        {
                                            "type" : "group",
                                            "definition" : {
                                                "logic" : "and",
                                                "conditions" : [
                                                    {
                                                        "type" : "matcher",
                                                        "definition" : {
                                                            "key" : "key2",
                                                            "matcher" : "ne",
                                                            "values" : ["value3"]
                                                        }
                                                    },
                                                    {
                                                        "type" : "matcher",
                                                        "definition" : {
                                                            "key" : "key2",
                                                            "matcher" : "ne",
                                                            "values" : ["value4"]
                                                        }
                                                    }
                                                ]
                                            }
                                        }
                                    ]
                                }
                            },
                            {
                                "type" : "matcher",
                                "definition" : {
                                    "key" : "key3",
                                    "matcher" : "eq",
                                    "values" : ["value5", "value6"]
                                }
                            },
                            {
                                "type" : "matcher",
                                "definition" : {
                                    "key" : "~type",
                                    "matcher" : "eq",
                                    "values" : ["com.adobe.eventType.location", "com.adobe.eventType.analytics"]
                                }
                            }
                        ]
                    }
                },
                "consequences" : [
                    {
                        "id"        : "48181acd22b3edaebc8a447868a7df7ce629920a",
                        "type"        : "iam",
                        "detail"      : {
                            "template"    : "fullscreen",
                            "html"        : "48181acd22b3edaebc8a447868a7df7ce629920a.html"
                        }
                    }
                ]
            }
        ]
        }
        """#

    static let showOnceRules = #"""
        {
            "version": 1,
            "rules": [
                {
                    "condition": {
                        "type": "group",
                        "definition": {
                            "logic": "and",
                            "conditions": [
                                {
                                    "type": "matcher",
                                    "definition": {
                                        "key": "key3",
                                        "matcher": "eq",
                                        "values": ["value5", "value6"]
                                    }
                                },
                                {
                                    "type": "matcher",
                                    "definition": {
                                        "key"      : "~state.com.adobe.module.userProfile/userprofiledata.48181acd22b3edaebc8a447868a7df7ce629920a-seen",
                                        "matcher"  : "nx"
                                    }
                                }
                            ]
                        }
                    },
                    "consequences": [
                        {
                            "id"       : "48181acd22b3edaebc8a447868a7df7ce629920a",
                            "type"     : "iam",
                            "detail"   : {
                                "template" : "fullscreen",
                                "html"     : "48181acd22b3edaebc8a447868a7df7ce629920a.html"
                            }
                        },
                        {
                            "id"       : "9d40f5665d5bdbe96dcb3a24f4e4fe98d686a602",
                            "type"     : "csp",
                            "detail"   : {
                                "operation": "write",
                                "key"      : "48181acd22b3edaebc8a447868a7df7ce629920a-seen",
                                "value"    : "yes"
                            }
                        }
                    ]
                }
            ]
        }
        """#
}
