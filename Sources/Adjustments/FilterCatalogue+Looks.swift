extension FilterCatalogue {
  static let looks: [FilterDescription] = []
}
