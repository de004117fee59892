public import ConvertECMAScript

/// The distribution of attributes among a simulation's visitors.
///
/// In JSON, a specification is an object with a member for each attribute. The member is a list of equally likely
/// values, an object `{"values": {"VALUE": WEIGHT, …}}` of texts with their weights, or `{"min": A, "max": B}` for
/// whole numbers. Each object may have `"missing": SHARE`, the share of visitors without the attribute.
public struct AttributeSpecification: Sendable {
    private struct Attribute: Sendable {
        let key: PropertyKey
        var values: [JSValue] = []
        /// The sum of the weights up to and including each value.
        var weights: [Double] = []
        var range: ClosedRange<Int>?
        var missing = 0.0
    }

    private static let members = ["values", "min", "max", "missing"]

    private var attributes: [Attribute] = []

    /// Creates a specification of no attributes.
    public init() {}

    /// Reads a specification from JSON.
    ///
    /// - Throws: ``AttributeSpecificationError``, which names the attribute and the correction.
    public init(_ json: JSObject) throws(AttributeSpecificationError) {
        for member in json {
            attributes.append(try Self.attribute(member.key, member.value))
        }
    }

    private static func attribute(
        _ key: PropertyKey, _ value: JSValue
    ) throws(AttributeSpecificationError) -> Attribute {
        var attribute = Attribute(key: key)
        if let values = value.arrayValue, !values.isEmpty {
            attribute.values = values
            attribute.weights = (1...values.count).map(Double.init)
            return attribute
        }
        guard let object = value.objectValue else { throw .init(key, "expected a list of values or an object") }
        if let other = object.first(where: { !members.contains($0.key.name) }) {
            throw .init(key, "'\(other.key.name)' is not one of \(members.joined(separator: ", "))")
        }
        if let missing = object["missing"] {
            guard let share = missing.numberValue, (0...1).contains(share) else {
                throw .init(key, "'missing' must be a number from 0 to 1")
            }
            attribute.missing = share
        }
        if let weighted = object["values"]?.objectValue, !weighted.isEmpty {
            var sum = 0.0
            for member in weighted {
                guard let weight = member.value.numberValue, weight >= 0, weight.isFinite else {
                    throw .init(key, "the weight of '\(member.key.name)' must be a number that is not negative")
                }
                sum += weight
                attribute.values.append(.string(member.key.name))
                attribute.weights.append(sum)
            }
            guard sum > 0, sum.isFinite else { throw .init(key, "some weight must be above 0") }
            return attribute
        }
        guard let low = object["min"]?.numberValue.flatMap({ Int(exactly: $0) }),
            let high = object["max"]?.numberValue.flatMap({ Int(exactly: $0) }), low <= high,
            low.magnitude <= 1 << 53, high.magnitude <= 1 << 53
        else { throw .init(key, #"expected {"values": {…}} with weights, or {"min": A, "max": B} with whole numbers"#) }
        attribute.range = low...high
        return attribute
    }

    /// The values for one visitor; `nil` for each attribute that the visitor does not have.
    func values(_ random: inout SplitMix64) -> [(key: PropertyKey, value: JSValue?)] {
        attributes.map { attribute in
            if random.fraction() < attribute.missing { return (attribute.key, nil) }
            if let range = attribute.range {
                return (
                    attribute.key, .integer(range.lowerBound + random.below(range.upperBound - range.lowerBound + 1))
                )
            }
            let point = random.fraction() * (attribute.weights.last ?? 0)
            let index = attribute.weights.firstIndex { point < $0 } ?? attribute.values.count - 1
            return (attribute.key, attribute.values[index])
        }
    }
}

/// An error in a specification of attributes.
public struct AttributeSpecificationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem and its correction, in one sentence.
    public let description: String

    init(_ key: PropertyKey, _ problem: String) { description = "attribute '\(key.name)': \(problem)." }
}
