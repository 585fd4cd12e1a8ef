import CImagingShim
import ColourEngine
import RenderModel

/// A picture whose encoded grey values are the weights of a mask.
struct BitmapFile {
  /// As the mask names it.
  let name: String
  /// The caller's.
  let descriptor: Int32

  /// Larger pictures are averaged down: a mask is soft, and its weights are held as floats.
  private static let mostPixels = 16_000_000

  /// As displayed; transparent parts count as black.
  func read(_ limits: RenderLimits) throws(RenderFailure) -> MaskBitmap {
    do throws(RenderFailure) {
      let picture = try OpenedPicture.open(
        descriptor: descriptor, limits: limits, tolerant: false, rawSource: nil
      ).get()
      return try weights(of: picture)
    } catch {
      throw RenderFailure(
        code: error.code == .memory ? .memory : .invalidAdjustment, stage: .filter,
        detail: "the mask's picture \(DisplayText.escaped(name)): \(error.detail)")
    }
  }

  private func weights(of picture: OpenedPicture) throws(RenderFailure) -> MaskBitmap {
    LibraryMessages.clear()
    do throws(LibraryError) {
      let loaded = try picture.image(isStrict: true, reduction: 1)
      let prepared = try picture.colour.prepare(loaded)
      let grey = PixelLayout(sample: .float32, bands: 1, alpha: .none, space: .sRGB)
      let pass = PixelPass(from: picture.colour.layout, steps: [], to: grey, matte: 0)
      var image = try prepared.mapped(through: pass, to: grey)
      let factor = Self.factor(image.size)
      if factor > 1 { image = try image.shrunk(by: PixelSize(width: factor, height: factor)) }
      if let orientation = Orientation(picture.header.orientation), orientation != .upright {
        image = try image.oriented(orientation)
      }
      let bytes = try image.samples()
      let weights = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
      return MaskBitmap(width: image.size.width, height: image.size.height, weights: weights)
    } catch {
      throw FailureText.decoding(
        error, messages: LibraryMessages.all, name: picture.content.name, stage: .filter)
    }
  }

  private static func factor(_ size: PixelSize) -> Int {
    var factor = 1
    while size.pixels / (factor * factor) > mostPixels { factor += 1 }
    return factor
  }
}
