extension FilterSets {
  /// The local ones, blurs of all widths, and turns by themselves and after a wide blur, by name.
  static var each: [(name: String, filters: String)] {
    let wide = #"{"filter": "blur", "radius": 40}"#
    let turn = #"{"filter": "straighten", "degrees": 3}"#
    let warp = #"{"filter": "perspective", "topLeft": [0.02, 0.01], "bottomRight": [0.97, 1]}"#
    let named = localFilters.map { ($0.split(separator: "\"").dropFirst(3).first ?? "", $0) }
    let blurs = [4, 7.9, 8, 12, 15.9, 16, 24, 64].map {
      ("blur, radius \($0)", #"{"filter": "blur", "radius": \#($0)}"#)
    }
    return named.map { (String($0.0), $0.1) } + [("together", local)] + blurs + [
      ("turn", turn), ("turn, radius 40 before", wide + "," + turn),
      ("warp", warp), ("warp, radius 40 before", wide + "," + warp),
    ]
  }

  /// Sets whose pictures go through from the top: memory must not grow with height.
  static let streaming: [(name: String, filters: [String])] = [
    ("no filter", []), ("point filters", [basic, hues]),
    ("local and neighbourhood filters", [local]),
    (
      "noise reduction, radius 12",
      [#"{"filter": "noiseReduction", "luminance": 0.5, "colour": 0.5, "radius": 12}"#]
    ),
    ("blur, radius 5.9", [#"{"filter": "blur", "radius": 5.9}"#]),
    ("blur, radius 60", [#"{"filter": "blur", "radius": 60}"#]),
    ("sharpen, radius 30", [#"{"filter": "sharpen", "amount": 0.6, "radius": 30}"#]),
  ]
}
