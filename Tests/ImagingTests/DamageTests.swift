import Imaging
import RenderModel
import Testing

extension ImagingTests {
  @Suite("Damage")
  struct Damage {
    static let types: [UniformType] = [.jpeg, .png, .webP, .tiff, .avif, .gif]

    static func bytes(_ type: UniformType) throws -> [UInt8] {
      if type == .gif {
        return HandMade.gif(width: 120, height: 90, frames: 1) { x, y, _ in (x * 7 + y * 3) % 4 }
      }
      return try Drawing.scene(120, 90).file(type).bytes
    }

    static func outcome(
      _ bytes: [UInt8], tolerant: Bool = false, filters: [FilterStep] = []
    ) throws -> Result<Render, RenderFailure> {
      let file = try TemporaryFile(bytes)
      do {
        let rendition = Rendition(name: "r", type: .png)
        return .success(try Render(file, [rendition], filters: filters, tolerant: tolerant))
      } catch let failure as RenderFailure {
        return .failure(failure)
      }
    }

    @Test("a file cut off anywhere is never a success", arguments: types, [5, 20, 50, 80, 95])
    func cut(type: UniformType, percent: Int) throws {
      let whole = try Self.bytes(type)
      let result = try Self.outcome(Array(whole.prefix(whole.count * percent / 100)))
      guard case .failure(let failure) = result else {
        Issue.record("it rendered")
        return
      }
      #expect([.truncated, .unreadable].contains(failure.code))
      if percent >= 50 && [.jpeg, .webP].contains(type) { #expect(failure.code == .truncated) }
      #expect([.header, .decode].contains(failure.stage))
      #expect(!failure.detail.isEmpty)
    }

    @Test(
      "also when a crop shows nothing of the missing part", arguments: [UniformType.jpeg, .png])
    func cutBelowTheCrop(type: UniformType) throws {
      let whole = try Self.bytes(type)
      let result = try Self.outcome(
        Array(whole.prefix(whole.count * 3 / 4)), filters: [.crop(0, 0, 1, 0.2)])
      guard case .failure(let failure) = result else {
        Issue.record("it rendered")
        return
      }
      #expect(failure.code == .truncated)
    }

    @Test("a tolerant render goes on and names the damage", arguments: [UniformType.jpeg, .png])
    func tolerant(type: UniformType) throws {
      // Hard to compress, so that the encoders cut it into many pieces.
      let scene = Drawing.picture(200, 150) { x, y, band in
        128 + (x * x * 31 + y * y * 17 + x * y * 13 + band * 71) % 97
      }
      let whole = try scene.file(type).bytes
      let render = try Self.outcome(
        Array(whole.prefix(whole.count * 3 / 4)), tolerant: true
      ).get()
      #expect(render.result.damage.count == 1)
      #expect(render.result.damage.first?.contains("cut off") == true)
      let top = try render.decoded().pixel(60, 5)
      let wanted = try TemporaryFile(whole).decoded().pixel(60, 5)
      #expect(zip(top, wanted).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test("a tolerant render of a whole file has no damage", arguments: types)
    func tolerantWhole(type: UniformType) throws {
      let render = try Self.outcome(try Self.bytes(type), tolerant: true).get()
      #expect(render.result.damage.isEmpty)
    }

    @Test("a JPEG that lacks only its end marker is whole", arguments: [1, 2])
    func endMarker(missing: Int) throws {
      let whole = try Self.bytes(.jpeg)
      let full = try Self.outcome(whole).get().decoded()
      let cut = try Self.outcome(Array(whole.dropLast(missing))).get().decoded()
      #expect(cut.samples == full.samples)
    }

    @Test("a profile that is not all there is left out and named as lost", arguments: [0, 1, 2, 3])
    func profilePieces(missing: Int) throws {
      let jpeg = try Self.bytes(.jpeg)
      let profile = EmbeddedProfile.displayP3
      let pieces = [profile[..<300], profile[300..<400], profile[400...]]
      let segments = pieces.enumerated().filter { $0.offset + 1 != missing }.flatMap {
        number, piece in
        let body = Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), 3] + piece
        return [0xFF, 0xE2] + Box.number(body.count + 2, 2) + body
      }
      let file = try TemporaryFile(jpeg[..<2] + segments + jpeg[2...])
      let result = try Render(file, [Rendition(name: "r", type: .png)]).result
      let header = try file.opened().get().header
      #expect(header.profile == (missing == 0 ? "Display P3" : "untagged"))
      #expect(result.losses == (missing == 0 ? [] : ["profile"]))
      #expect(result.notes.contains { $0.contains("profile") } == (missing > 0))
    }

    @Test("a WebP that is cut off says so, tolerated or not", arguments: [30, 70, 99])
    func webP(percent: Int) throws {
      let whole = try Self.bytes(.webP)
      for tolerant in [false, true] {
        let cut = Array(whole.prefix(whole.count * percent / 100))
        guard case .failure(let failure) = try Self.outcome(cut, tolerant: tolerant) else {
          Issue.record("it rendered")
          continue
        }
        #expect(failure.code == .truncated, "\(failure.detail)")
      }
    }

    @Test("a JPEG that is coded arithmetically is cut off where it has no end marker")
    func arithmetic() throws {
      for whole in [CodedDrawing.arithmeticJPEG, CodedDrawing.progressiveArithmeticJPEG] {
        let picture = try Self.outcome(whole).get().decoded()
        OrientationMatrix.expectNear(
          picture, 31, 20, OrientationMatrix.colour(1, 31, 20), 6, "arithmetic")
        for length in stride(from: whole.count - 1, to: 200, by: -7) {
          guard case .failure(let failure) = try Self.outcome(Array(whole.prefix(length))) else {
            Issue.record("\(length) of \(whole.count) bytes rendered")
            continue
          }
          #expect(failure.code == .truncated, "\(failure.detail)")
        }
        let cut = try Self.outcome(whole.dropLast(12), tolerant: true).get()
        #expect(cut.result.damage.first?.contains("cut off") == true)
        OrientationMatrix.expectNear(
          try cut.decoded(), 5, 6, OrientationMatrix.colour(1, 5, 6), 6, "tolerated")
      }
    }

    @Test("bytes after the end, stray bytes before a segment and odd scan parameters do no harm")
    func harmless() throws {
      let whole = try Self.bytes(.jpeg)
      let full = try Self.outcome(whole).get().decoded()
      #expect(
        try Self.outcome(whole + [UInt8](repeating: 0x5A, count: 999)).get().decoded().samples
          == full.samples)

      var strayed = whole
      let first = 4 + Int(strayed[4]) << 8 + Int(strayed[5])
      strayed.insert(contentsOf: [1, 2, 3], at: first)
      #expect(try Self.outcome(strayed).get().decoded().samples == full.samples)

      var odd = whole
      let scan = try #require(
        odd.indices.dropLast().first { odd[$0] == 0xFF && odd[$0 + 1] == 0xDA })
      let length = Int(odd[scan + 2]) << 8 | Int(odd[scan + 3])
      odd[scan + 2 + length - 3] = 1
      odd[scan + 2 + length - 2] = 5
      #expect(try Self.outcome(odd).get().decoded().samples == full.samples)
    }

    @Test("a scan whose bytes are gone from the middle on is no success")
    func hole() throws {
      var bytes = try Self.bytes(.jpeg)
      let middle = bytes.count / 2
      for index in middle..<(bytes.count - 2) { bytes[index] = 0xFF }
      guard case .failure(let failure) = try Self.outcome(bytes) else {
        Issue.record("it rendered")
        return
      }
      #expect([.truncated, .unreadable].contains(failure.code))
    }

    @Test("a PNG with a wrong checksum is refused, and rendered when damage is tolerated")
    func checksum() throws {
      var bytes = try Self.bytes(.png)
      bytes[bytes.count / 2] ^= 0x10
      guard case .failure(let failure) = try Self.outcome(bytes) else {
        Issue.record("it rendered")
        return
      }
      #expect(failure.code == .unreadable || failure.code == .truncated)
      #expect(failure.stage == .decode)
      #expect(try Self.outcome(bytes, tolerant: true).get().result.damage.count == 1)
    }

    @Test("noise behind a signature is a failure of the header", arguments: types)
    func noise(type: UniformType) throws {
      let start = try Self.bytes(type).prefix(12)
      var state: UInt64 = 88_172_645_463_325_252
      let noise = (0..<4000).map { _ -> UInt8 in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state)
      }
      guard case .failure(let failure) = try Self.outcome(start + noise) else {
        Issue.record("it rendered")
        return
      }
      #expect([.truncated, .unreadable, .unsupportedType].contains(failure.code))
    }

    @Test("an empty file is unreadable and says so")
    func empty() throws {
      guard case .failure(let failure) = try Self.outcome([]) else {
        Issue.record("it rendered")
        return
      }
      #expect(
        failure
          == RenderFailure(
            code: .unreadable, stage: .header, detail: "the file is empty"))
    }
  }
}
