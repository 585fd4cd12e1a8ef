import ColourEngine
import Glibc
import JSONText
import RenderModel
import Testing

/// Colours that Tests/Reference/lut.py looked up with colour-science.
struct LutGoldens {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var table: String
    var step: FilterStep
    var inputs: [Float]
    var outputs: [Float]
  }

  var tables: [String: ColourTable] = [:]
  var cases: [Case] = []

  struct Unreadable: Error { var what: String }

  static let read: Result<LutGoldens, any Error> = Result { try LutGoldens() }
  static var cases: [Case] { (try? read.get().cases) ?? [] }

  private init() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let data = try JSONParser.parse(Self.bytes(root + "/Reference/lut.json")).value
    for member in data["files"]?.object ?? [] {
      tables[member.key] = try LutTables.table(member.value.string ?? "")
    }
    for member in data["halds"]?.object ?? [] {
      let codes = try Self.numbers(member.value["codes"]).map { UInt16($0) }
      let pixels = stride(from: 0, to: codes.count, by: 3).map {
        SIMD4(codes[$0], codes[$0 + 1], codes[$0 + 2], 0)
      }
      let level = member.value["level"]?.number?.integer ?? 0
      guard let table = ColourTable(haldLevel: level, codes: pixels) else {
        throw Unreadable(what: member.key)
      }
      tables[member.key] = table
    }
    var inputs: [String: [Float]] = [:]
    for member in data["inputs"]?.object ?? [] {
      inputs[member.key] = try Self.numbers(member.value).map { Float($0) }
    }
    for value in data["cases"]?.array ?? [] {
      guard let name = value["name"]?.string, let table = value["table"]?.string,
        let strength = value["strength"]?.number?.double, let space = value["colorSpace"]?.string,
        let colours = inputs[value["inputs"]?.string ?? ""]
      else { throw Unreadable(what: "a case") }
      cases.append(
        Case(
          testDescription: name, table: table,
          step: LutTables.step(strength: strength, colorSpace: space), inputs: colours,
          outputs: try Self.numbers(value["outputs"]).map { Float($0) }))
    }
  }

  private static func numbers(_ value: JSONValue?) throws -> [Double] {
    try (value?.array ?? []).map {
      guard let number = $0.number?.double else { throw Unreadable(what: "a number") }
      return number
    }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Unreadable(what: path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    guard unsafe pread(descriptor, &bytes, bytes.count, 0) == bytes.count else {
      throw Unreadable(what: path)
    }
    return bytes
  }
}

@Suite struct LutGoldenTests {
  @Test("the reference has tables of every kind in every space")
  func complete() throws {
    let goldens = try LutGoldens.read.get()
    #expect(goldens.tables.count == 8)
    #expect(goldens.cases.count >= 20)
    #expect(goldens.cases.contains { $0.inputs.count >= 3 * 17 * 17 * 17 })
    #expect(
      Set(goldens.cases.compactMap { $0.step.text("colorSpace") }) == Set(LutLookupTests.spaces))
  }

  @Test("looked-up colours equal the reference's within 1e-4", arguments: LutGoldens.cases)
  func golden(expected: LutGoldens.Case) throws {
    let table = try #require(try LutGoldens.read.get().tables[expected.table])
    let found = LutTables.look(expected.inputs, in: table, expected.step)
    try #require(found.count == expected.outputs.count)
    var worst: (difference: Float, index: Int) = (0, 0)
    for (index, (got, wanted)) in zip(found, expected.outputs).enumerated() {
      let difference = abs(got - wanted) / max(1, abs(wanted))
      if !(difference <= worst.difference) { worst = (difference, index) }
    }
    let pixel = worst.index / 3 * 3
    #expect(
      worst.difference < 1e-4,
      "\(expected.inputs[pixel..<(pixel + 3)]) became \(found[pixel..<(pixel + 3)]), not \(expected.outputs[pixel..<(pixel + 3)])"
    )
  }
}
