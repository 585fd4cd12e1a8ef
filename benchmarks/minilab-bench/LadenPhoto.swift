/// A JPEG with the metadata that cameras and editors leave in it.
enum LadenPhoto {
  /// The same JPEG with Exif, XMP and IPTC, as segments right after its start.
  static func bytes(of jpeg: [UInt8]) -> [UInt8] {
    let segments =
      segment(0xE1, Array("Exif\0\0".utf8) + exif)
      + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8))
      + segment(0xED, Array("Photoshop 3.0\0".utf8) + resource(iptc))
    return Array(jpeg.prefix(2)) + segments + jpeg.dropFirst(2)
  }

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(body.count + 2, 2) + body
  }

  // MARK: Exif

  private struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    var value: [UInt8]

    static func text(_ tag: Int, _ text: String) -> Entry {
      Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
    }

    static func short(_ tag: Int, _ number: Int) -> Entry {
      Entry(tag: tag, type: 3, count: 1, value: big(number, 2))
    }

    static func long(_ tag: Int, _ number: Int) -> Entry {
      Entry(tag: tag, type: 4, count: 1, value: big(number, 4))
    }

    static func fractions(_ tag: Int, _ numbers: [(Int, Int)]) -> Entry {
      Entry(
        tag: tag, type: 5, count: numbers.count,
        value: numbers.flatMap { big($0.0, 4) + big($0.1, 4) })
    }
  }

  /// Big-endian, with a directory of the camera and one of the place.
  private static var exif: [UInt8] {
    let camera: [Entry] = [
      .fractions(0x829A, [(1, 250)]), .fractions(0x829D, [(28, 10)]), .short(0x8827, 200),
      .text(0x9003, "2024:05:06 07:08:09"), .text(0x9011, "+02:00"), .text(0x9291, "123"),
      .fractions(0x920A, [(35, 1)]), .short(0xA001, 1), .long(0xA002, 4000), .long(0xA003, 3000),
      .text(0xA434, "35mm F2.8"),
    ]
    let place: [Entry] = [
      .text(1, "N"), .fractions(2, [(48, 1), (51, 1), (2, 1)]), .text(3, "E"),
      .fractions(4, [(2, 1), (17, 1), (40, 1)]),
    ]
    func main(_ cameraAt: Int, _ placeAt: Int) -> [Entry] {
      [
        .text(0x010F, "Drawn"), .text(0x0110, "Drawing 1"), .short(0x0112, 1),
        .fractions(0x011A, [(300, 1)]), .fractions(0x011B, [(300, 1)]), .short(0x0128, 2),
        .text(0x0132, "2024:05:06 07:08:09"), .text(0x013B, "Nobody"), .long(0x8769, cameraAt),
        .long(0x8825, placeAt),
      ]
    }
    let first = directory(main(0, 0), at: 8).count
    let second = directory(camera, at: 8 + first)
    return [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]
      + directory(main(8 + first, 8 + first + second.count), at: 8) + second
      + directory(place, at: 8 + first + second.count)
  }

  private static func directory(_ entries: [Entry], at place: Int) -> [UInt8] {
    var head = big(entries.count, 2)
    var data: [UInt8] = []
    let dataStart = place + 2 + 12 * entries.count + 4
    for entry in entries {
      head += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count, 4)
      if entry.value.count <= 4 {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        head += big(dataStart + data.count, 4)
        data += entry.value + [UInt8](repeating: 0, count: entry.value.count % 2)
      }
    }
    return head + [0, 0, 0, 0] + data
  }

  // MARK: XMP and IPTC

  private static let xmp = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4" xmp:CreateDate="2024-05-06T07:08:09.123+02:00">
    <dc:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>evening</rdf:li></rdf:Bag></dc:subject>
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A drawing</rdf:li></rdf:Alt></dc:title>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    <?xpacket end="w"?>
    """

  private static var iptc: [UInt8] {
    func set(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number] + big(text.utf8.count, 2) + Array(text.utf8)
    }
    return set(25, "sea") + set(25, "evening") + set(80, "Nobody") + set(120, "A drawing")
  }

  private static func resource(_ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + big(data.count, 4) + data
      + [UInt8](repeating: 0, count: data.count % 2)
  }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }
}
