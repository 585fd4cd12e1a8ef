import Glibc
import RenderModel

/// The filters as their definitions say, one by one on sRGB primaries in Double.
///
/// Written from the published formulas and numbers, without the engine's working space, tables or
/// types, so that agreement means something.
enum Reference {
  typealias Pixel = SIMD3<Double>

  static func decode(_ e: Double) -> Double {
    let m = abs(e)
    let x = m > 0.04045 ? pow((m + 0.055) / 1.055, 2.4) : m / 12.92
    return e < 0 ? -x : x
  }

  static func encode(_ x: Double) -> Double {
    let m = abs(x)
    let e = m > 0.0031308 ? 1.055 * pow(m, 1 / 2.4) - 0.055 : 12.92 * m
    return x < 0 ? -e : e
  }

  static func map(_ pixel: Pixel, _ function: (Double) -> Double) -> Pixel {
    Pixel(function(pixel.x), function(pixel.y), function(pixel.z))
  }

  /// Encoded sRGB in, encoded sRGB out, unclipped.
  static func apply(_ steps: [FilterStep], to encoded: Pixel) -> Pixel {
    var light = map(encoded, decode)
    for step in steps { light = apply(step, toLight: light) }
    return map(light, encode)
  }

  private static func apply(_ step: FilterStep, toLight c: Pixel) -> Pixel {
    func encodedly(_ function: (Double) -> Double) -> Pixel {
      map(c) { decode(function(encode($0))) }
    }
    switch step.name {
    case "exposure": return c * pow(2, step.number("ev") ?? 0)
    case "saturation":
      let s = step.number("amount") ?? 0
      let y = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z
      return Pixel(y + s * (c.x - y), y + s * (c.y - y), y + s * (c.z - y))
    case "contrast":
      let (amount, pivot) = (step.number("amount") ?? 0, step.number("pivot") ?? 0)
      return encodedly { ($0 - pivot) * amount + pivot }
    case "brightness": return encodedly { $0 + (step.number("amount") ?? 0) }
    case "toneCurve":
      let points = step.points("points") ?? []
      return encodedly { tone($0, points) }
    case "temperatureTint":
      return whiteBalance(c, temperature: step.number("temperature") ?? 0)
    default: return c
    }
  }

  /// Hermite pieces with the slopes of Fritsch and Carlson's paper, found anew for each value.
  static func tone(_ e: Double, _ points: [FilterStep.CurvePoint]) -> Double {
    var d: [Double] = []
    for k in 1..<points.count {
      d.append((points[k].y - points[k - 1].y) / (points[k].x - points[k - 1].x))
    }
    var m = [d[0]]
    for k in 1..<d.count where d.count > 1 {
      m.append(d[k - 1] * d[k] <= 0 ? 0 : 0.5 * (d[k - 1] + d[k]))
    }
    m.append(d[d.count - 1])
    for k in 0..<d.count {
      if d[k] == 0 {
        (m[k], m[k + 1]) = (0, 0)
      } else {
        let square = (m[k] * m[k] + m[k + 1] * m[k + 1]) / (d[k] * d[k])
        if square > 9 {
          let factor = 3 / square.squareRoot()
          (m[k], m[k + 1]) = (m[k] * factor, m[k + 1] * factor)
        }
      }
    }
    // An end in a corner of the unit square is no limit.
    let (first, last) = (points[0], points[points.count - 1])
    if e <= first.x {
      let isOpen = first.x == 0 && (first.y == 0 || first.y == 1)
      return isOpen ? first.y + m[0] * (e - first.x) : first.y
    }
    if e >= last.x {
      let isOpen = last.x == 1 && (last.y == 0 || last.y == 1)
      return isOpen ? last.y + m[m.count - 1] * (e - last.x) : last.y
    }
    var k = 0
    while e > points[k + 1].x { k += 1 }
    let h = points[k + 1].x - points[k].x
    let t = (e - points[k].x) / h
    let low = (1 + 2 * t) * (1 - t) * (1 - t) * points[k].y + t * t * (3 - 2 * t) * points[k + 1].y
    return low + h * (t * (1 - t) * (1 - t) * m[k] + t * t * (t - 1) * m[k + 1])
  }

  /// Daylight only, no tint; Lindbloom's way from XYZ to XYZ.
  private static func whiteBalance(_ c: Pixel, temperature: Double) -> Pixel {
    let xyz = multiply(sRGBToXYZ, c)
    let from = multiply(bradford, daylightXYZ(temperature))
    let to = multiply(bradford, daylightXYZ(6500))
    let cones = multiply(bradford, xyz) * to / from
    return multiply(xyzToSRGB, multiply(bradfordInverse, cones))
  }

  static func daylightXYZ(_ t: Double) -> Pixel {
    let x =
      t <= 7000
      ? -4.6070e9 / pow(t, 3) + 2.9678e6 / pow(t, 2) + 0.09911e3 / t + 0.244063
      : -2.0064e9 / pow(t, 3) + 1.9018e6 / pow(t, 2) + 0.24748e3 / t + 0.237040
    let y = -3 * x * x + 2.87 * x - 0.275
    return Pixel(x / y, 1, (1 - x - y) / y)
  }

  static func multiply(_ m: [[Double]], _ v: Pixel) -> Pixel {
    Pixel(
      m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
      m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
      m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z)
  }

  static let bradford = [
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
  ]
  /// Lindbloom's published inverse.
  static let bradfordInverse = [
    [0.9869929, -0.1470543, 0.1599627], [0.4323053, 0.5183603, 0.0492912],
    [-0.0085287, 0.0400428, 0.9684867],
  ]
  /// W3C CSS Color 4, sample code, as fractions.
  static let sRGBToXYZ = fractions([
    [(506_752, 1_228_815), (87_881, 245_763), (12_673, 70_218)],
    [(87_098, 409_605), (175_762, 245_763), (12_673, 175_545)],
    [(7_918, 409_605), (87_881, 737_289), (1_001_167, 1_053_270)],
  ])
  static let xyzToSRGB = fractions([
    [(12_831, 3_959), (-329, 214), (-1_974, 3_959)],
    [(-851_781, 878_810), (1_648_619, 878_810), (36_519, 878_810)],
    [(705, 12_673), (-2_585, 12_673), (705, 667)],
  ])
  static let displayP3ToXYZ = fractions([
    [(608_311, 1_250_200), (189_793, 714_400), (198_249, 1_000_160)],
    [(35_783, 156_275), (247_089, 357_200), (198_249, 2_500_400)],
    [(0, 1), (32_229, 714_400), (5_220_557, 5_000_800)],
  ])
  static let rec2020ToXYZ = fractions([
    [(63_426_534, 99_577_255), (20_160_776, 139_408_157), (47_086_771, 278_816_314)],
    [(26_158_966, 99_577_255), (472_592_308, 697_040_785), (8_267_143, 139_408_157)],
    [(0, 1), (19_567_812, 697_040_785), (295_819_943, 278_816_314)],
  ])

  private static func fractions(_ rows: [[(Double, Double)]]) -> [[Double]] {
    rows.map { row in row.map { $0.0 / $0.1 } }
  }
}
