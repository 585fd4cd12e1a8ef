import JSONText
import RenderModel

extension FilterListDecoder {
  /// nil when a problem was reported.
  mutating func decodeMask(_ value: JSONValue, at field: String) -> FilterMask? {
    var count = 0
    let mask = decodeMask(value, at: field, depth: 0, count: &count)
    if count > MaskCatalogue.maximumParts {
      report(
        value.offset, field,
        "there are \(count) masks in it; at most \(MaskCatalogue.maximumParts) may be")
      return nil
    }
    return mask
  }

  /// `count`: how many masks there are so far, without combinations.
  private mutating func decodeMask(
    _ value: JSONValue, at field: String, depth: Int, count: inout Int
  ) -> FilterMask? {
    guard let members = value.object else {
      report(value.offset, field, "a mask must be an object, not \(value.typeName)")
      return nil
    }
    guard
      let kind = name(
        of: value, member: "mask", what: "mask", among: MaskCatalogue.masks.map(\.name), at: field),
      let description = MaskCatalogue.description(of: kind)
    else { return nil }
    check(
      members,
      known: description.parameters.map(\.name) + (description.hasParts ? ["masks"] : [])
        + ["mask", "invert"], what: "parameter", in: field)
    let before = problems.count
    var mask = FilterMask(
      kind: kind, parameters: decode(description.parameters, of: value, in: field))
    if problems.count == before, let problem = MaskRules.problem(of: mask) {
      report(
        value[problem.field]?.offset ?? value.offset, "\(field).\(problem.field)", problem.text)
    }
    mask.isInverted = decode(MaskCatalogue.invert, of: value, in: field) == .number(1)
    guard description.hasParts else {
      count += 1
      return mask
    }
    guard depth < MaskCatalogue.deepest else {
      report(
        value.offset, field,
        "masks are combined inside each other at most \(MaskCatalogue.deepest) deep")
      return nil
    }
    guard let parts = value["masks"], let values = parts.array, !values.isEmpty else {
      let given = value["masks"].map { $0.array == nil ? $0.typeName : "an empty one" }
      report(
        value["masks"]?.offset ?? value.offset, "\(field).masks",
        "masks must be an array of masks" + (given.map { ", not \($0)" } ?? "; it is missing"))
      return nil
    }
    mask.parts = values.enumerated().compactMap {
      decodeMask(
        $0.element, at: "\(field).masks[\($0.offset)]", depth: depth + 1, count: &count)
    }
    return mask
  }
}
