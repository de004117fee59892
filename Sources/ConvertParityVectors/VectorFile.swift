import ConvertECMAScript

/// The frame of a vector file.
struct VectorHeader: Decodable {
    let kind: String
    let semantics: String?

    private enum CodingKeys: String, CodingKey { case kind, semantics, cases }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(String.self, forKey: .kind)
        semantics = try container.decodeIfPresent(String.self, forKey: .semantics)
        _ = try container.nestedUnkeyedContainer(forKey: .cases)
    }
}

/// The cases of a vector file, each decoded by itself so that a malformed one fails alone.
struct VectorCases<Case: Decodable>: Decodable {
    struct Element: Decodable {
        let name: String?
        let content: Result<Case, VectorError>

        private enum CodingKeys: String, CodingKey { case name }

        init(from decoder: any Decoder) {
            let container = try? decoder.container(keyedBy: CodingKeys.self)
            name = try? container?.decodeIfPresent(String.self, forKey: .name)
            do {
                content = .success(try Case(from: decoder))
            } catch {
                content = .failure(VectorError(message: "malformed case: \(describe(error))"))
            }
        }
    }

    let cases: [Element]
}

/// Why a file or a case could not be replayed.
struct VectorError: Error {
    let message: String
}

/// A decoding error in a few words, with the place within the case.
func describe(_ error: any Error) -> String {
    func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
        return "no member '\(key.stringValue)' at \(place(context.codingPath))"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        return "\(context.debugDescription) (at \(place(context.codingPath)))"
    case let error as VectorError: return error.message
    default: return "\(error)"
    }
}
