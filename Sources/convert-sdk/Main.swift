import ConvertParityVectors
@main enum Main {
    static func main() {
        let r = VectorRunner { print($0) }
        let t = r.run(paths: Array(CommandLine.arguments.dropFirst()))
        print("\(t.passed) passed, \(t.failed) failed")
    }
}
