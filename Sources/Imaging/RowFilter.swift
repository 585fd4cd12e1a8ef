/// A filter that looks at a pixel's surroundings and works down the picture row by row.
///
/// The picture's edges are carried on outwards. What a row needs of those before it is remembered, so
/// that nothing is worked out twice however the rows are asked for; memory does not grow with height.
protocol RowFilter: Sendable {
  /// How far around a pixel its result depends on others; 0 only when the filter does nothing.
  var reach: Int { get }
  /// Columns to work on at a time, so that what is remembered stays in the processor's cache.
  var bandWidth: Int { get }
  func worker(for band: RowBand) -> any RowWorker
}

extension RowFilter {
  var bandWidth: Int { max(512, 16 * reach) }
}

/// The columns that a worker gives, and where it begins.
struct RowBand: Hashable, Sendable {
  var columns: Range<Int>
  /// The first row that will be taken; negative ones repeat the top row.
  var top: Int
  /// Samples of a pixel: three, or four with alpha, which is premultiplied.
  var bands: Int
  var reach: Int

  /// Pixels of a row that is taken.
  var takenWidth: Int { columns.count + 2 * reach }
}

/// Works through one band of columns; used by one thread at a time.
protocol RowWorker: AnyObject {
  /// The next row, from `reach` pixels left of the band to `reach` pixels right of it.
  func take(_ row: UnsafePointer<Float>)
  /// Writes the row of the band that lies `reach` rows above the last one taken.
  func give(_ row: UnsafeMutablePointer<Float>)
}
