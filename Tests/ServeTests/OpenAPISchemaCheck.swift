import Foundation

/// Checks responses against a description, as far as its schemas go.
struct SchemaCheck {
    private let document: [String: Any]

    init(_ document: [String: Any]) throws { self.document = document }

    /// What is wrong with a response.
    func faults(of reply: JobReply, _ method: String, _ path: String) -> [String] {
        let paths = document["paths"] as? [String: Any]
        let operation = (paths?[path] as? [String: Any])?[method.lowercased()] as? [String: Any]
        guard let responses = operation?["responses"] as? [String: Any] else {
            return ["not described"]
        }
        guard let stated = responses["\(reply.status)"] else { return ["status \(reply.status)"] }
        let content = resolved(stated)["content"] as? [String: Any] ?? [:]
        let type = reply.fields["content-type"]?.split(separator: ";").first.map(String.init) ?? ""
        guard let media = content[type] as? [String: Any] else { return ["type \(type)"] }
        guard type.hasSuffix("json") else { return [] }
        guard let value = reply.json else { return ["no JSON"] }
        return faults(value, media["schema"] as? [String: Any] ?? [:], at: "$")
    }

    private func resolved(_ value: Any) -> [String: Any] {
        let object = value as? [String: Any] ?? [:]
        guard let reference = object["$ref"] as? String else { return object }
        var place: Any? = document
        for part in reference.dropFirst(2).split(separator: "/") {
            place = (place as? [String: Any])?[String(part)]
        }
        return place as? [String: Any] ?? [:]
    }

    private func faults(_ value: Any, _ stated: [String: Any], at place: String) -> [String] {
        let schema = resolved(stated)
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let all = choices.map { faults(value, $0, at: place) }
            return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? []
        }
        if let constant = schema["const"] as? String {
            return value as? String == constant ? [] : ["\(place) is not \(constant)"]
        }
        switch schema["type"] as? String {
        case "object":
            guard let object = value as? [String: Any] else { return ["\(place) is no object"] }
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
            // A member that nobody has described would be missing from it.
            let strange = properties.isEmpty ? [] : object.keys.filter { properties[$0] == nil }
            let isOpen = properties["container"] != nil && properties["name"] != nil
            return missing.map { "\(place).\($0) is missing" }
                + (isOpen ? [] : strange.map { "\(place).\($0) is not described" })
                + properties.flatMap { name, schema in
                    object[name].map { faults($0, schema, at: "\(place).\(name)") } ?? []
                }
        case "array":
            guard let list = value as? [Any] else { return ["\(place) is no list"] }
            let element = schema["items"] as? [String: Any] ?? [:]
            return list.enumerated().flatMap { faults($1, element, at: "\(place)[\($0)]") }
        case "string":
            guard let text = value as? String else { return ["\(place) is no text"] }
            let words = schema["enum"] as? [String]
            return words.map { $0.contains(text) } ?? true ? [] : ["\(place) cannot be \(text)"]
        case "boolean": return value is Bool ? [] : ["\(place) is neither true nor false"]
        case "null": return value is NSNull ? [] : ["\(place) is not null"]
        case "integer":
            guard let number = value as? NSNumber,
                number.doubleValue == number.doubleValue.rounded()
            else { return ["\(place) is no whole number"] }
            let least = (schema["minimum"] as? NSNumber)?.doubleValue ?? -.infinity
            return number.doubleValue >= least ? [] : ["\(place) is less than \(least)"]
        case "number": return value is NSNumber ? [] : ["\(place) is no number"]
        default: return []
        }
    }
}
