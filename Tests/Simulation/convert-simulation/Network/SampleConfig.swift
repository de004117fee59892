/// A project's config. Its versions differ in how experiences share visitors out, so that only what is stored of a
/// visitor keeps their variations.
struct SampleConfig {
    let version: Int

    static let experiences = ["e1", "e2", "e3"]
    static let goals = ["g1", "g2", "g3"]

    /// The config as Convert serves it.
    var json: String {
        let experiences = Self.experiences.enumerated().map { index, key in
            let share = [10, 50, 90][(version + index) % 3]
            return """
                {"id": "10\(index)", "key": "\(key)", "name": "\(key)", "type": "a/b_fullstack", "status": "active", \
                "version": 8, "environments": ["staging"], "locations": [], "site_area": null, "audiences": [], \
                "settings": {"matching_options": {"audiences": "any", "locations": "any"}}, "variations": [\
                \(variation(2 * index, share)), \(variation(2 * index + 1, 100 - share))]}
                """
        }
        let goals = Self.goals.enumerated().map {
            #"{"id": "20\#($0)", "key": "\#($1)", "name": "\#($1)", "rules": null}"#
        }
        return """
            {"account_id": "1001", "project": {"id": "2002", "name": "Shop \(version)", "type": "fullstack", \
            "environments": {"staging": "Staging"}, "settings": {}}, "audiences": [], "locations": [], "segments": [], \
            "features": [], "goals": [\(goals.joined(separator: ", "))], \
            "experiences": [\(experiences.joined(separator: ", "))]}
            """
    }

    private func variation(_ number: Int, _ share: Int) -> String {
        """
        {"id": "30\(number)", "key": "v\(number)", "name": "v\(number)", "status": "running", \
        "traffic_allocation": \(share), "changes": []}
        """
    }
}
