internal import ConvertECMAScript
internal import Foundation

extension JSValue {
    /// Creates a value from a JSON document, like `JSON.parse`.
    init(reading json: Data) throws(JSONRefusal) {
        let document = try json.withElements { bytes throws(JSONRefusal) in
            try ECMAScript.readJSON(bytes, remedy: "write it as JSON in UTF-8")
        }
        self = document.withRoot { $0.value }
    }
}
