/// A 3×3 matrix that acts on column vectors.
package struct Matrix3: Hashable, Sendable {
  package var rows: Rows

  package struct Rows: Hashable, Sendable {
    package var first: SIMD3<Double>
    package var second: SIMD3<Double>
    package var third: SIMD3<Double>
  }

  package static let identity = Matrix3([1, 0, 0], [0, 1, 0], [0, 0, 1])

  package init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    rows = Rows(first: first, second: second, third: third)
  }

  package init(diagonal: SIMD3<Double>) {
    self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
  }

  package init(
    columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>
  ) {
    self.init(
      [first.x, second.x, third.x], [first.y, second.y, third.y], [first.z, second.z, third.z])
  }

  package func column(_ index: Int) -> SIMD3<Double> {
    [rows.first[index], rows.second[index], rows.third[index]]
  }

  package func apply(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    [
      (rows.first * vector).sum(), (rows.second * vector).sum(), (rows.third * vector).sum(),
    ]
  }

  package static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(
      columns: left.apply(right.column(0)), left.apply(right.column(1)),
      left.apply(right.column(2)))
  }

  /// nil when the matrix is singular, or so near to it that the result would not be finite.
  package var inverse: Matrix3? {
    let (a, b, c) = (rows.first, rows.second, rows.third)
    let columns = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
    let determinant = (a * columns.0).sum()
    guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
    let result = Matrix3(
      columns: columns.0 / determinant, columns.1 / determinant, columns.2 / determinant)
    return result.isFinite ? result : nil
  }

  package var isFinite: Bool {
    (rows.first + rows.second + rows.third).sum().isFinite
  }

  /// Whether every entry lies between −limit and limit.
  func isWithin(_ limit: Double) -> Bool {
    (0..<3).allSatisfy { index in
      let column = column(index)
      return max(column.max(), -column.min()) <= limit
    }
  }

  /// The largest absolute difference of two entries.
  package func distance(to other: Matrix3) -> Double {
    var result = 0.0
    for index in 0..<3 {
      let difference = column(index) - other.column(index)
      result = max(result, abs(difference.x), abs(difference.y), abs(difference.z))
    }
    return result
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
