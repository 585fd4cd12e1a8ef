/// What must hold of each filter of the catalogue; a new one has to be entered here.
struct FilterExpectation {
  enum Ramp {
    /// Every channel of its example on a ramp of grey.
    case rises, falls
    /// It moves pixels, or looks where they are.
    case places
  }

  /// The members of records that must change nothing; empty where there are no such parameters.
  var identities: [String]
  var ramp: Ramp
  /// Whether grey stays grey in its example.
  var isNeutral: Bool

  private init(_ identities: [String], _ ramp: Ramp = .rises, isNeutral: Bool = true) {
    self.identities = identities
    self.ramp = ramp
    self.isNeutral = isNeutral
  }

  private static let amount = [#""amount": 0"#]
  private static let straight = "[[0, 0], [0.3, 0.3], [1, 1]]"
  private static let unit = #""red": [1, 0, 0], "green": [0, 1, 0], "blue": [0, 0, 1]"#

  static let all: [String: FilterExpectation] = [
    "exposure": .init([#""ev": 0"#]),
    "contrast": .init([#""amount": 1, "pivot": 0.3"#]),
    "brightness": .init(amount),
    "gamma": .init([#""power": 1"#]),
    "levels": .init(["", #""red": [0, 1, 1, 0, 1]"#]),
    "toneCurve": .init([#""points": \#(straight)"#, #""luminance": \#(straight)"#]),
    "whitesBlacks": .init([""]),
    "highlightsShadows": .init([""]),
    "localContrast": .init(amount),
    "dehaze": .init(amount),
    "saturation": .init([#""amount": 1"#]),
    "temperatureTint": .init([""], isNeutral: false),
    "vibrance": .init(amount),
    "hue": .init([#""degrees": 0"#]),
    "channelMixer": .init(["", unit], isNeutral: false),
    "colourMatrix": .init(["", unit], isNeutral: false),
    "hsl": .init(["", #""red": [0, 0, 0]"#]),
    "colourGrade": .init(["", #""shadowHue": 200"#], isNeutral: false),
    "splitTone": .init(["", #""shadowHue": 200"#], isNeutral: false),
    "monochrome": .init([]),
    "sepia": .init(amount, isNeutral: false),
    "tint": .init(amount, isNeutral: false),
    "lut3d": .init([#""path": "warm.cube", "strength": 0"#], isNeutral: false),
    "posterize": .init([]),
    "invert": .init(amount, .falls),
    "clamp": .init([]),
    "mono": .init(amount), "tonal": .init(amount), "noir": .init(amount), "fade": .init(amount),
    "chrome": .init(amount),
    "process": .init(amount, isNeutral: false), "transfer": .init(amount, isNeutral: false),
    "instant": .init(amount, isNeutral: false), "warm": .init(amount, isNeutral: false),
    "cool": .init(amount, isNeutral: false),
    "sharpen": .init([#""amount": 0"#]),
    "noiseReduction": .init([#""luminance": 0, "colour": 0"#]),
    "blur": .init([#""radius": 0.1"#]),
    "grain": .init(amount, .places),
    "vignette": .init(amount, .places),
    "orient": .init([#""orientation": 1"#], .places),
    "crop": .init([#""x": 0, "y": 0, "width": 1, "height": 1"#], .places),
    "straighten": .init([#""degrees": 0"#], .places),
    "flip": .init([], .places),
    "perspective": .init([""], .places),
    "pad": .init(["", #""aspect": 1.5"#], .places),
    "border": .init([#""width": 0"#, #""width": 0, "inside": true"#], .places),
    "overlay": .init([#""path": "mark.png", "opacity": 0"#], .places, isNeutral: false),
  ]
}
