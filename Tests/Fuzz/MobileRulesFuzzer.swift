import ConvertECMAScript
import ConvertMobileRules
import Foundation

/// libFuzzer's entry: a byte that chooses what reads the rest, then its input.
///
/// 0: a `rules.json`; 1: a text with tokens; 2: an archive. Whatever arrives, nothing may trap or hang, and the indexed
/// rules must answer as each rule by itself. Build and run it, from the package's folder, with
///
///     swift build -c release --scratch-path .build/fuzz --target ConvertMobileRules -Xswiftc -sanitize=fuzzer
///     swiftc -O -sanitize=fuzzer -parse-as-library -I .build/fuzz/release/Modules \
///         -Xcc -fmodule-map-file=Sources/CConvertZlib/module.modulemap Tests/Fuzz/MobileRulesFuzzer.swift \
///         $(find .build/fuzz/release/ -name '*.o') -lz -o .build/fuzz/mobile-rules
///     .build/fuzz/mobile-rules -max_len=4096 -timeout=5
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMobileRules(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = Data(bytes: bytes + 1, count: count - 1)
    switch bytes[0] % 3 {
    case 0: if let document = try? RulesDocument(json: input) { run(document) }
    case 1: if let document = document(of: String(decoding: input, as: UTF8.self)) { run(document) }
    default: if let package = try? RulesPackage(input) { run(package.document) }
    }
    return 0
}

private let events = [
    MobileEvent(type: "t", source: "s"),
    MobileEvent(
        type: "a", source: "b",
        data: ["a": 1, "k": "text", "o": ["x": 1.5, "l": [true, ["y": "z"]]], "l": [["i": 1]]],
        mask: ["a"]),
]

private func run(_ document: RulesDocument) {
    for semantics in MobileRulesSemantics.allCases {
        var configuration = MobileRulesConfiguration()
        configuration.semantics = semantics
        configuration.now = { 1_000 }
        configuration.random = { 7 }
        let engine = MobileRulesEngine(configuration)
        engine.replaceRules(with: document)
        for event in events {
            let plain = engine.explain(event).rules.filter(\.matches).map(\.index)
            precondition(engine.process(event).matchedRules == plain, "the index disagrees")
            engine.processAll(event)
        }
    }
}

private func document(of text: String) -> RulesDocument? {
    let rules: JSValue = [
        "version": 1,
        "rules": [
            [
                "condition": ["type": "matcher", "definition": ["key": "~type", "matcher": "ex"]],
                "consequences": [
                    ["id": "1", "type": "add", "detail": ["eventdata": ["t": .string(text)]]],
                    [
                        "id": "2", "type": "dispatch",
                        "detail": ["type": .string(text), "source": "s", "eventdataaction": "copy"],
                    ],
                ],
            ]
        ],
    ]
    return (try? JSONEncoder().encode(rules)).flatMap { try? RulesDocument(json: $0) }
}
