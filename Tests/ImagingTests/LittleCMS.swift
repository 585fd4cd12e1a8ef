import CLittleCMS

/// Little CMS itself, without a line of the project between: what colours ought to be.
enum LittleCMS {
  /// The numbers of a device, or Lab, as Little CMS names their layout.
  struct Format {
    var code: UInt32

    private init(space: UInt32, channels: UInt32, bytes: UInt32, isFloat: Bool) {
      code = (isFloat ? 1 << 22 : 0) | space << 16 | channels << 3 | bytes
    }

    static func deep(_ channels: Int) -> Format {
      Format(space: space(channels), channels: UInt32(channels), bytes: 2, isFloat: false)
    }

    static func float(_ channels: Int) -> Format {
      Format(space: space(channels), channels: UInt32(channels), bytes: 4, isFloat: true)
    }

    static let lab = Format(space: 10, channels: 3, bytes: 0, isFloat: true)

    private static func space(_ channels: Int) -> UInt32 {
      channels == 1 ? 3 : channels == 3 ? 4 : 6
    }
  }

  /// A way from one profile to another, relative colorimetric; nil is the connection space.
  @safe
  final class Transform {
    private let handle: cmsHTRANSFORM

    init?(
      _ from: [UInt8]?, _ input: Format, to target: [UInt8]?, _ output: Format,
      intent: UInt32 = 1, flags: UInt32 = 0
    ) {
      guard let one = unsafe Self.open(from) else { return nil }
      defer { unsafe cmsCloseProfile(one) }
      guard let other = unsafe Self.open(target) else { return nil }
      defer { unsafe cmsCloseProfile(other) }
      guard
        let handle = unsafe cmsCreateTransform(
          one, input.code, other, output.code, intent, flags)
      else { return nil }
      unsafe self.handle = handle
    }

    deinit { unsafe cmsDeleteTransform(handle) }

    private static func open(_ bytes: [UInt8]?) -> cmsHPROFILE? {
      guard let bytes else { return unsafe cmsCreateLab4Profile(nil) }
      return unsafe cmsOpenProfileFromMem(bytes, UInt32(bytes.count))
    }

    func run<Input: BitwiseCopyable, Output: BitwiseCopyable & Numeric>(
      _ input: [Input], _ pixels: Int, channels: Int, _ type: Output.Type
    ) -> [Output] {
      var output = [Output](repeating: 0, count: pixels * channels)
      unsafe cmsDoTransform(handle, input, &output, UInt32(pixels))
      return output
    }
  }

  /// Differences between colours of two lists, pixel by pixel; three numbers each.
  static func differences(_ one: [Double], _ other: [Double]) -> [Double] {
    stride(from: 0, to: one.count, by: 3).map { at in
      var first = cmsCIELab(L: one[at], a: one[at + 1], b: one[at + 2])
      var second = cmsCIELab(L: other[at], a: other[at + 1], b: other[at + 2])
      return unsafe cmsCIE2000DeltaE(&first, &second, 1, 1, 1)
    }
  }
}
