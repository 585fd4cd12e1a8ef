import JSONText

/// Something wrong in an adjustment record, and what would be right.
package struct AdjustmentProblem: Hashable, Sendable {
  /// In the text that the value was parsed from.
  package var offset: Int
  /// The path to the field inside the record's data, `filters[2].ev`; empty for the whole.
  package var field: String
  package var message: String

  package init(offset: Int, field: String, message: String) {
    self.offset = offset
    self.field = field
    self.message = message
  }

  /// `line 5, column 3: filters[0].ev: …`, with the place in the text that it was found in.
  package func words(in text: ArraySlice<UInt8>) -> String {
    let place = JSONPlace(of: offset, in: text)
    return "line \(place.line), column \(place.column): "
      + (field.isEmpty ? message : "\(field): \(message)")
  }
}
