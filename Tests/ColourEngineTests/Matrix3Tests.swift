import ColourEngine
import Testing

@Suite struct Matrix3Tests {
  static let sample = Matrix3([2, 0, 1], [1, 3, 2], [1, 1, 2])

  @Test("a matrix times its inverse is the identity")
  func inverse() throws {
    let inverse = try #require(Self.sample.inverse)
    #expect((Self.sample * inverse).distance(to: .identity) < 1e-15)
    #expect(
      Matrix3([1, 0, 0], [0, 2, 0], [0, 0, 4]).inverse == Matrix3(diagonal: [1, 0.5, 0.25]))
  }

  @Test("rows act on columns, and a product applies its right side first")
  func products() {
    #expect(Self.sample.apply([1, 2, 3]) == [5, 13, 9])
    let turn = Matrix3([0, -1, 0], [1, 0, 0], [0, 0, 1])
    let stretch = Matrix3(diagonal: [2, 1, 1])
    #expect((stretch * turn).apply([1, 0, 0]) == [0, 1, 0])
    #expect((turn * stretch).apply([1, 0, 0]) == [0, 2, 0])
    #expect(Matrix3(columns: [1, 2, 3], [4, 5, 6], [7, 8, 9]).column(1) == [4, 5, 6])
  }

  @Test(
    "what has no inverse gives nil",
    arguments: [
      Matrix3([1, 2, 3], [2, 4, 6], [0, 0, 1]), Matrix3(diagonal: [1, 1, 0]),
      Matrix3(diagonal: [1, .nan, 1]), Matrix3(diagonal: [.infinity, 1, 1]),
    ])
  func singular(matrix: Matrix3) {
    #expect(matrix.inverse == nil)
  }
}
