/// The pixels of a PNG file with 8 bits a sample, as stored: no colour management, no gamma.
struct PNGPicture {
  struct Unreadable: Error { var words: String }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var bands = 0
  private(set) var hasProfile = false
  private var samples: [UInt8] = []

  init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { throw Unreadable(words: "no PNG") }
    var data: [UInt8] = []
    var position = 8
    while position + 12 <= bytes.count {
      let length = Self.number(bytes, position)
      let name = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
      let body = Array(bytes[(position + 8)..<(position + 8 + length)])
      switch name {
      case "IHDR":
        (width, height) = (Self.number(body, 0), Self.number(body, 4))
        guard body[8] == 8, body[12] == 0, let count = [0: 1, 2: 3, 4: 2, 6: 4][body[9]] else {
          throw Unreadable(words: "depth \(body[8]), type \(body[9]), interlacing \(body[12])")
        }
        bands = count
      case "iCCP": hasProfile = true
      case "IDAT": data += body
      default: break
      }
      position += 12 + length
    }
    samples = try Self.unfiltered(try Inflate.zlib(data), width * bands, height, bands)
  }

  func pixel(_ x: Int, _ y: Int) -> [Int] {
    (0..<bands).map { Int(samples[(y * width + x) * bands + $0]) }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func unfiltered(
    _ raw: [UInt8], _ stride: Int, _ height: Int, _ bands: Int
  ) throws -> [UInt8] {
    guard raw.count == (stride + 1) * height else { throw Unreadable(words: "wrong length") }
    var result = [UInt8](repeating: 0, count: stride * height)
    for y in 0..<height {
      let filter = raw[y * (stride + 1)]
      for x in 0..<stride {
        let left = x >= bands ? Int(result[y * stride + x - bands]) : 0
        let above = y > 0 ? Int(result[(y - 1) * stride + x]) : 0
        let corner = x >= bands && y > 0 ? Int(result[(y - 1) * stride + x - bands]) : 0
        let prediction =
          switch filter {
          case 1: left
          case 2: above
          case 3: (left + above) / 2
          case 4: paeth(left, above, corner)
          default: 0
          }
        result[y * stride + x] = raw[y * (stride + 1) + 1 + x] &+ UInt8(prediction)
      }
    }
    return result
  }

  private static func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
    let estimate = a + b - c
    let (pa, pb, pc) = (abs(estimate - a), abs(estimate - b), abs(estimate - c))
    if pa <= pb && pa <= pc { return a }
    return pb <= pc ? b : c
  }
}
