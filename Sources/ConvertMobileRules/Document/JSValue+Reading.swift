internal import ConvertECMAScript
internal import Foundation

extension JSValue {
    /// Creates a value from a JSON document, like `JSON.parse`.
    init(reading json: Data) throws(JSONRefusal) {
        let result = json.withUnsafeBytes { bytes in
            Result { () throws(JSONRefusal) in
                try ECMAScript.readJSON(bytes.bindMemory(to: UInt8.self), remedy: "write it as JSON in UTF-8")
            }
        }
        self = try result.get().withRoot { $0.value }
    }
}
