/// libFuzzer's entry: a document. See `Tests/README.md` for the command.
///
/// Whatever arrives, nothing may trap, hang or read outside its memory, and what was read and written must read the
/// same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let document: JSONDocument
    do {
        let vocabulary = JSONVocabulary(["id", "key", "a", "a longer name"])
        document = try ECMAScript.parseJSON(
            ByteText(UnsafeBufferPointer(start: bytes, count: count)), vocabulary: vocabulary)
    } catch {
        precondition(error.offset >= 0 && error.offset <= count, "the error lies outside")
        precondition(error.line >= 1 && error.column >= 1, "the error has no place")
        // The reference would nest without bound.
        if error.code != .tooDeep { compare(bytes, count, with: nil) }
        return 0
    }
    document.withRoot { root in
        visitAll(root)
        compare(bytes, count, with: spelling(of: root))
        let value = root.value
        let text = ECMAScript.jsonText(of: value)
        guard let again = try? ECMAScript.parseJSON(text) else { fatalError("what was written is no JSON") }
        again.withRoot { precondition(ECMAScript.jsonText(of: $0.value) == text, "what was written reads differently") }
    }
    return 0
}

/// The reference takes time by the square.
private let longestCompared = 4_096

/// Reads the document with the reference too, which must come to `expected`.
private func compare(_ bytes: UnsafePointer<UInt8>, _ count: Int, with expected: String?) {
    guard count <= longestCompared else { return }
    let found = ReferenceJSON.spell(Array(UnsafeBufferPointer(start: bytes, count: count)))
    precondition(found == expected, "the reference reads something else")
}

/// Asks everything of every value, in the order of the document, in which finding paths takes linear time.
private func visitAll(_ root: JSONCursor) {
    var finder = JSONPathFinder()
    var pending = [root]
    while let cursor = pending.popLast() {
        precondition(finder.path(of: cursor).hasPrefix("$"), "a value has no path")
        precondition((cursor.text != nil) == (cursor.kind == .text), "a text of another kind")
        precondition((cursor.number != nil) == (cursor.kind == .number), "a number of another kind")
        let children = cursor.isArray ? Array(cursor.elements) : Array(cursor.members)
        precondition(children.count == cursor.count, "another number of values than counted")
        for child in cursor.members {
            precondition(cursor.member(child.nameNumber)?.index == child.index, "a member is not found by its number")
        }
        pending += children.reversed()
    }
}
