import ConvertECMAScript
import ConvertSwiftSDKCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A parsed vector file.
struct VectorFile {
    /// One case of the file. Each case is read separately, so that a malformed case does not affect the others.
    struct Element<Case> {
        let name: String?
        let content: Result<Case, VectorError>
    }

    let kind: String
    let semantics: String?
    private let document: JSONDocument

    /// Reads the vectors in `bytes`; `nil` if the bytes are JSON without a `kind`. Throws if the bytes are not JSON or
    /// the file has no list of cases.
    init?(_ bytes: Data) throws(VectorError) {
        let parsed = bytes.withElements { bytes in
            Result { () throws(JSONSyntaxError) in try ECMAScript.parseJSON(bytes) }
        }
        switch parsed {
        case .success(let document): self.document = document
        case .failure(let error):
            let format = bytes.withElements { ForeignFormat(insteadOfJSON: $0) }
            throw VectorError(message: format.map { "it is \($0)" } ?? "\(error)")
        }
        let head = try document.withRoot { (root) throws(VectorError) -> (kind: String, semantics: String?)? in
            guard root["kind"] != nil else { return nil }
            _ = try root.required("cases").asElements
            return (try root.required("kind").asText, try root.optional("semantics")?.asText)
        }
        guard let head else { return nil }
        (kind, semantics) = head
    }

    func cases<Case: VectorCase>(of type: Case.Type) -> [Element<Case>] {
        document.withRoot { root in
            var cases: [Element<Case>] = []
            guard let list = root["cases"] else { return cases }
            for cursor in list.elements { cases.append(Element(cursor)) }
            return cases
        }
    }
}

extension VectorFile.Element where Case: VectorCase {
    init(_ cursor: JSONCursor) {
        name = cursor["name"]?.text
        do {
            content = .success(try Case(cursor))
        } catch {
            content = .failure(VectorError(message: "malformed case: \(error.message)"))
        }
    }
}

/// The fields of each case of one kind of vectors.
protocol VectorCase {
    init(_ cursor: JSONCursor) throws(VectorError)
}

/// Why a file or a case could not be replayed.
struct VectorError: Error {
    let message: String
}
