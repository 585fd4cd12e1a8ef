/// One example of every filter and mask: for the pages, the sample pictures and the pixel digests.
package enum FilterExamples {
  /// The example as it stands in a record, `{"filter": "exposure", "ev": 0.7}`; nil when there is none.
  ///
  /// `version`: the one that the record asks for; nil leaves it to be the current one.
  package static func record(of entry: CatalogueEntry, version: Int? = nil) -> String? {
    guard let members = members[entry.name] else { return nil }
    let head = "\"\(entry.kind == "mask" ? "mask" : "filter")\": \"\(entry.name)\""
    let pinned = version.map { "\"version\": \($0)" } ?? ""
    return "{" + [head, pinned, members].filter { !$0.isEmpty }.joined(separator: ", ") + "}"
  }

  /// What follows the name, in JSON; paths are those of `docs/filters/source`.
  private static let members: [String: String] = [
    "exposure": #""ev": 0.7"#,
    "contrast": #""amount": 1.35"#,
    "brightness": #""amount": 0.1"#,
    "gamma": #""power": 0.75"#,
    "levels": #""black": 0.08, "white": 0.85, "gamma": 1.1"#,
    "toneCurve": #""points": [[0, 0], [0.25, 0.16], [0.75, 0.86], [1, 1]]"#,
    "whitesBlacks": #""whites": 0.5, "blacks": -0.4"#,
    "highlightsShadows": #""highlights": -0.7, "shadows": 0.7"#,
    "localContrast": #""amount": 0.7"#,
    "dehaze": #""amount": 0.6"#,
    "saturation": #""amount": 1.6"#,
    "temperatureTint": #""temperature": 8500, "tint": 10"#,
    "vibrance": #""amount": 0.8"#,
    "hue": #""degrees": 40"#,
    "channelMixer": #""red": [0.7, 0.3, 0], "green": [0, 1, 0], "blue": [0, 0.4, 0.6]"#,
    "colourMatrix":
      #""red": [0.9, 0.1, 0], "green": [0.05, 0.9, 0.05], "blue": [0, 0.2, 0.8], "bias": [0.02, 0, 0]"#,
    "hsl": #""orange": [0.1, 0.3, 0.1], "blue": [-0.3, 0.4, -0.2]"#,
    "colourGrade":
      #""shadowHue": 220, "shadowAmount": 0.4, "highlightHue": 45, "highlightAmount": 0.4"#,
    "splitTone":
      #""shadowHue": 230, "shadowSaturation": 0.5, "highlightHue": 40, "highlightSaturation": 0.5"#,
    "monochrome": #""red": 0.5, "green": 0.4, "blue": 0.1"#,
    "sepia": "",
    "tint": "",
    "lut3d": #""path": "warm.cube", "strength": 0.9"#,
    "posterize": #""levels": 5"#,
    "invert": "",
    "clamp": #""min": 0.2, "max": 0.8"#,
    "mono": "", "tonal": "", "noir": "", "fade": "", "chrome": "", "process": "", "transfer": "",
    "instant": "", "warm": "", "cool": "",
    "sharpen": #""amount": 1.5, "radius": 2"#,
    "noiseReduction": #""luminance": 0.6, "colour": 0.6"#,
    "blur": #""radius": 6"#,
    "grain": #""amount": 0.6, "size": 3, "seed": 7"#,
    "vignette": #""amount": -0.7"#,
    "orient": #""orientation": 6"#,
    "crop": #""x": 0.25, "y": 0.25, "width": 0.5, "height": 0.5"#,
    "straighten": #""degrees": 6"#,
    "flip": "",
    "perspective":
      #""topLeft": [0.1, 0.05], "topRight": [0.9, 0], "bottomRight": [1, 1], "bottomLeft": [0, 0.9]"#,
    "pad": #""aspect": 2, "colour": [0.2, 0.2, 0.2]"#,
    "border": #""width": 0.05"#,
    "overlay": #""path": "mark.png", "scale": 0.3, "x": -0.05, "y": -0.05"#,
    "linearGradient": #""from": [0.5, 0.6], "to": [0.5, 0.1]"#,
    "radial": #""center": [0.5, 0.5], "radius": [0.4, 0.4]"#,
    "luminanceRange": #""from": 0.5, "to": 1"#,
    "colourRange": #""colour": [0.2, 0.4, 0.8], "tolerance": 0.15"#,
    "hueRange": #""hue": 264, "tolerance": 40"#,
    "bitmap": #""path": "mark.png", "feather": 0.02"#,
    "combine":
      #""operation": "subtract", "masks": [{"mask": "radial", "radius": [0.5, 0.5]}, {"mask": "luminanceRange", "from": 0.7}]"#,
  ]
}
