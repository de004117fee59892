/// A statement about a condition's value.
struct ValueNote {
    let code: LintCode
    let message: String
    let remedy: String
    let edit: ConditionEdit?

    init(_ code: LintCode, _ message: String, remedy: String, _ edit: ConditionEdit? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.edit = edit
    }
}
