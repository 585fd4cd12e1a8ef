extension FilterCatalogue {
  static let local: [FilterDescription] = []
}
