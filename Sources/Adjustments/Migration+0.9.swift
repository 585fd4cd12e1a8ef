import Digest
import JSONText
import RenderModel

extension Migration {
  /// Format 0.9 to 1.0.
  ///
  /// 0.9 had its list in `adjustments` and the filter's name in `name`, and neither versions, nor
  /// opacity, nor masks. `exposure` had `stops` (1.0: `ev`); `contrast`, `saturation` and
  /// `brightness` counted `amount` in percent from −100 to 100 with 0 for no change; `crop` had
  /// `rect` [x, y, width, height] in fractions of the displayed picture. `orient`, `straighten`,
  /// `temperatureTint`, `toneCurve` and `sharpen` were as they are.
  static let zeroNine = Migration(
    from: .oldest,
    form: RecordForm(
      list: "adjustments", name: "name", filters: ZeroNine.filters, hasBlending: false,
      rule: ZeroNine.problem)
  ) { data in
    let list = data["adjustments"]
    let filters = list?.array?.map(ZeroNine.filter) ?? []
    return data.with(
      .object([
        JSONMember(
          key: "filters", keyOffset: data.object?.first?.keyOffset ?? data.offset,
          value: (list ?? data).with(.array(filters)))
      ]))
  }
}

private enum ZeroNine {
  /// As they were: what becomes of the catalogue changes nothing here.
  static let filters = [
    filter("exposure", ParameterDescription("stops", .number(-10...10, default: nil), "")),
    filter("contrast", percent), filter("saturation", percent), filter("brightness", percent),
    filter("crop", ParameterDescription("rect", .numbers(4...4, 0...1, default: nil), "")),
    filter("orient", ParameterDescription("orientation", .whole(1...8, default: nil), "")),
    filter("straighten", ParameterDescription("degrees", .number(-45...45, default: nil), "")),
    filter(
      "temperatureTint",
      ParameterDescription("temperature", .number(2000...25_000, default: 6500), ""),
      ParameterDescription("tint", .number(-150...150, default: 0), "")),
    filter("toneCurve", ParameterDescription("points", .points(2...256), "")),
    filter(
      "sharpen", ParameterDescription("amount", .number(0...5, default: nil), ""),
      ParameterDescription("radius", .number(0.1...100, default: 1), ""),
      ParameterDescription("threshold", .number(0...1, default: 0), "")),
  ]

  private static let percent = ParameterDescription(
    "amount", .number(-100...100, default: nil), "")

  /// Only names and domains matter for the check.
  private static func filter(
    _ name: String, _ parameters: ParameterDescription...
  ) -> FilterDescription {
    FilterDescription(
      name, .point, summary: "", parameters: parameters, identity: "", formula: "", source: "")
  }

  static func problem(of step: FilterStep) -> FilterRules.Problem? {
    guard step.name == "crop", let rect = step.numbers("rect"), rect.count == 4 else { return nil }
    if rect[2] > 0, rect[3] > 0, rect[0] + rect[2] <= 1 + 1e-6, rect[1] + rect[3] <= 1 + 1e-6 {
      return nil
    }
    return FilterRules.Problem(
      field: "rect",
      text: "rect [x, y, width, height] must be a part of the picture: width and height more than "
        + "0, x + width and y + height not more than 1")
  }

  static func filter(_ value: JSONValue) -> JSONValue {
    let name = value["name"]?.string ?? ""
    var members: [JSONMember] = []
    for member in value.object ?? [] {
      switch (name, member.key) {
      case (_, "name"): members.append(member.renamed("filter"))
      case ("exposure", "stops"): members.append(member.renamed("ev"))
      case ("contrast", "amount"), ("saturation", "amount"):
        members.append(member.with(number: (100 + member.percent) / 100))
      case ("brightness", "amount"): members.append(member.with(number: member.percent / 100))
      case ("crop", "rect"):
        for (key, side) in zip(["x", "y", "width", "height"], member.value.array ?? []) {
          members.append(JSONMember(key: key, keyOffset: member.keyOffset, value: side))
        }
      default: members.append(member)
      }
    }
    return value.with(.object(members))
  }
}

extension JSONValue {
  /// Another value at the same place.
  fileprivate func with(_ kind: Kind) -> JSONValue { JSONValue(kind, offset: offset, end: end) }
}

extension JSONMember {
  fileprivate var percent: Double { value.number?.double ?? 0 }

  fileprivate func renamed(_ key: String) -> JSONMember {
    JSONMember(key: key, keyOffset: keyOffset, value: value)
  }

  fileprivate func with(number: Double) -> JSONMember {
    let text = CanonicalJSON.number(number)
    return JSONMember(
      key: key, keyOffset: keyOffset, value: value.with(.number(JSONNumber(text: text))))
  }
}
