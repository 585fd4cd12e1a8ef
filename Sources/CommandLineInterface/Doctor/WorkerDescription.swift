import JSONText

/// What `minilab-worker --describe` answers: the engine, the formats, the sandbox and its proof.
package struct WorkerDescription: Hashable, Sendable {
  package struct Version: Hashable, Sendable {
    package var name: String
    package var number: String
  }

  package struct Layer: Hashable, Sendable {
    package var name: String
    package var isAvailable: Bool
    package var detail: String
  }

  /// Something that a sealed process tried and must not have been able to do.
  package struct Probe: Hashable, Sendable {
    package var name: String
    package var isRefused: Bool
    package var observed: String
  }

  package var engine: [Version]
  /// Uniform type identifiers.
  package var readable: [String]
  package var writable: [String]
  package var sandbox: [Layer]
  package var probes: [Probe]

  package init(
    engine: [Version], readable: [String], writable: [String], sandbox: [Layer], probes: [Probe]
  ) {
    self.engine = engine
    self.readable = readable
    self.writable = writable
    self.sandbox = sandbox
    self.probes = probes
  }

  /// Why an answer is not understood.
  package struct Unreadable: Error, Hashable, Sendable {
    package var reason: String
  }

  package init(json: [UInt8]) throws(Unreadable) {
    let root: JSONValue
    do {
      root = try JSONParser.parse(json).value
    } catch {
      throw Unreadable(reason: "its answer is not JSON: \(error.message)")
    }
    engine = try Self.members(of: root, "engine").map { (name, value) throws(Unreadable) in
      Version(name: name, number: try Self.text(value, "engine.\(name)"))
    }
    readable = try Self.texts(of: root, "readable")
    writable = try Self.texts(of: root, "writable")
    sandbox = try Self.members(of: root, "sandbox").map { (name, value) throws(Unreadable) in
      Layer(
        name: name, isAvailable: try Self.flag(value["available"], "sandbox.\(name).available"),
        detail: try Self.text(value["detail"], "sandbox.\(name).detail"))
    }
    probes = try Self.items(of: root, "probes").map { (value) throws(Unreadable) in
      Probe(
        name: try Self.text(value["name"], "probes.name"),
        isRefused: try Self.flag(value["refused"], "probes.refused"),
        observed: try Self.text(value["observed"], "probes.observed"))
    }
  }

  private static func members(
    of root: JSONValue, _ key: String
  ) throws(Unreadable) -> [(String, JSONValue)] {
    guard let members = root[key]?.object else { throw missing(key, "an object") }
    return members.map { ($0.key, $0.value) }
  }

  private static func items(of root: JSONValue, _ key: String) throws(Unreadable) -> [JSONValue] {
    guard let items = root[key]?.array else { throw missing(key, "an array") }
    return items
  }

  private static func texts(of root: JSONValue, _ key: String) throws(Unreadable) -> [String] {
    try items(of: root, key).map { (value) throws(Unreadable) in try text(value, key) }
  }

  private static func text(_ value: JSONValue?, _ key: String) throws(Unreadable) -> String {
    guard let text = value?.string else { throw missing(key, "a string") }
    return text
  }

  private static func flag(_ value: JSONValue?, _ key: String) throws(Unreadable) -> Bool {
    guard let flag = value?.bool else { throw missing(key, "a Boolean") }
    return flag
  }

  private static func missing(_ key: String, _ kind: String) -> Unreadable {
    Unreadable(reason: "its answer has no '\(key)' that is \(kind)")
  }
}
