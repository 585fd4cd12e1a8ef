import ColourEngine
import Testing

@Suite struct CubeTextTests {
  static let rows = "0 0 0\n1 0 0\n0 .75 0\n1 .75 0\n0 .25 1\n1 .25 1\n0 1 1\n1 1 1\n"
  /// What the table above has between its points: red alone moves red.
  static let probe: [Float] = [0.25, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1]
  static let found: [Float] = [0.25, 0, 0, 0, 0.75, 0, 0, 0.25, 1, 0, 1, 1]

  static let spellings = [
    "LUT_3D_SIZE 2\n" + rows,
    "\u{FEFF}LUT_3D_SIZE 2\n" + rows,
    "lut_3d_size\t2  \n" + rows,
    "# a comment\n\nTITLE \"two words # no comment\"\nLUT_3D_SIZE 2 # points\n\n" + rows
      + "\n\n# end",
    "LUT_3D_SIZE 2\n" + String(rows.dropLast()),
    "LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1.0 1e0\n" + rows,
    "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.0 1.0\n" + rows,
    "SOMETHING_NEW 1 2 3\nLUT_3D_SIZE 2\n" + rows,
    "LUT_3D_SIZE 2\n# one\n0 0 0\n# two\n1 0 0 # three\n  0\t+.75   0 \t\n1e0 7.5E-1 -0\n0.0 0.25 1.\n"
      + "1.00000000000000000000000000 25e-2 100e-2\n00 01 0.1e1\n1 1 1\n",
  ]

  @Test("a cube reads the same however it is spelt", arguments: spellings)
  func spelling(text: String) throws {
    for ends in ["\n", "\r\n", "\r"] {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let table = try LutTables.table(lines.joined(separator: ends))
      #expect(table.sizes == (0, 2))
      #expect(LutTables.worst(LutTables.look(Self.probe, in: table), Self.found) < 1e-6)
    }
  }

  @Test("a 1D table of Adobe's has a domain for each channel")
  func curves() throws {
    let table = try LutTables.table(
      "LUT_1D_SIZE 3\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 2 4\n0 0 0\n0.5 1 3\n1 -1 8\n")
    #expect(table.sizes == (3, 0))
    let found = LutTables.look([0.25, 0.5, 1, 0.75, 1.5, 3, 7, 7, 7, -7, -7, -7], in: table)
    let wanted: [Float] = [0.25, 0.5, 1.5, 0.75, 0, 5.5, 1, -1, 8, 0, 0, 0]
    #expect(LutTables.worst(found, wanted) < 1e-6)
  }

  @Test("a file of Resolve's holds curves and then a cube, each with its range")
  func both() throws {
    let text =
      "LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE -1 3\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 4\n"
      + "0 0 0\n4 2 1\n4 4 4\n"
      + "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
    let table = try LutTables.table(text)
    #expect(table.sizes == (3, 2))
    // -1 gives 0, 0 the middle of 0 and (4, 2, 1), 1 gives (4, 2, 1); then all by 4.
    let found = LutTables.look([-1, -1, -1, 0, 0, 0, 1, 1, 1, 9, 9, 9], in: table)
    let wanted: [Float] = [0, 0, 0, 0.5, 0.25, 0.125, 1, 0.5, 0.25, 1, 1, 1]
    #expect(LutTables.worst(found, wanted) < 1e-6)
  }

  @Test("numbers of any length are right to one unit in the last place")
  func numbers() throws {
    var random = SteadyNumbers(state: 11)
    var spelt: [String] = []
    for _ in 0..<2000 {
      let value = Double.random(in: -1...1, using: &random)
      let scale = ["", "e-3", "E+2", "e-12", "000", "123456789123456789", "e-40"].randomElement(
        using: &random)
      spelt.append("\(value)" + (scale ?? ""))
    }
    // Exponents of Swift's own spelling would stand before ours.
    spelt = spelt.filter { $0.filter { $0 == "e" || $0 == "E" }.count < 2 }
    for word in spelt {
      let value = try #require(Float(word))
      let flat = try LutTables.table("LUT_1D_SIZE 2\n\(word) 0 0\n\(word) 0 0\n")
      let got = LutTables.look([0.5, 0.5, 0.5], in: flat)[0]
      #expect(abs(got - value) <= value.ulp, "\(word)")
    }
  }

  @Test(
    "the largest sizes are read",
    arguments: [("LUT_1D_SIZE", 65_536, 65_536), ("LUT_3D_SIZE", 144, 2_985_984)])
  func large(keyword: String, size: Int, rows: Int) throws {
    let text = "\(keyword) \(size)\n" + String(repeating: "0.25 0.5 0.75\n", count: rows)
    let table = try LutTables.table(text)
    #expect(max(table.sizes.curves, table.sizes.cube) == size)
    #expect(LutTables.look([0.3, 0.9, 1], in: table) == [0.25, 0.5, 0.75])
  }
}
