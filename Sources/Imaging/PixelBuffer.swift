import CImagingShim
package import ColourEngine
package import RenderModel

/// Samples of a picture in memory, row after row without gaps: a drawing, or what a file decodes to.
package struct PixelBuffer: Hashable, Sendable {
  package var size: PixelSize
  package var bands: Int
  package var sample: PixelLayout.Sample
  package var samples: [UInt8]
  /// Written into the file; when read, what the file says.
  package var orientation = 1
  package var profile: [UInt8]?
  /// Other metadata by the library's names: `exif-data`, `xmp-data`, `exif-ifd0-Artist` …
  package var metadata: [String: [UInt8]] = [:]

  package init(size: PixelSize, bands: Int, sample: PixelLayout.Sample, samples: [UInt8]) {
    self.size = size
    self.bands = bands
    self.sample = sample
    self.samples = samples
  }

  /// Decodes a whole file of any readable type, as stored.
  package init(decoding descriptor: Int32) throws(RenderFailure) {
    LibraryMessages.clear()
    let content = try ContentType(recognising: descriptor, RenderLimits())
    do throws(LibraryError) {
      let image = try PictureInput(descriptor, content).decoder.image(isStrict: true, reduction: 1)
      guard let sample = PixelLayout.Sample(image.format) else {
        throw LibraryError(text: "samples of another kind")
      }
      self.init(
        size: image.size, bands: image.bands, sample: sample, samples: try image.samples())
      orientation = image.integer("orientation") ?? 1
      profile = image.bytes(profileField)
      // The name is one that the library makes up for each image.
      for name in image.fieldNames where name != "filename" {
        if let bytes = image.bytes(name) ?? image.text(name).map({ Array($0.utf8) }) {
          metadata[name] = bytes
        }
      }
    } catch {
      throw FailureText.decoding(
        error, messages: LibraryMessages.all, name: content.name, stage: .decode)
    }
  }

  /// Encodes to a descriptor; metadata whose names begin with `exif-ifd` are texts.
  ///
  /// AVIF, HEIC and JPEG XL get the profile alone, no metadata and no orientation.
  package func encode(
    to descriptor: Int32, as type: UniformType, quality: Int = 90
  ) throws(RenderFailure) {
    do throws(LibraryError) {
      let image = try PipelineImage(
        samples: samples, size: size, bands: bands, format: sample.library)
      image.set("orientation", to: orientation)
      if let profile { image.set(profileField, to: profile) }
      for (name, value) in metadata {
        if name.hasPrefix("exif-ifd") {
          image.setText(name, to: String(decoding: value, as: UTF8.self))
        } else {
          image.set(name, to: value)
        }
      }
      try image.save(
        to: descriptor,
        options: EncoderSettings.options(
          Rendition(name: "", type: type, quality: quality), quality: quality,
          depth: sample == .uint8 ? 8 : sample == .uint16 ? 16 : 32))
    } catch {
      throw FailureText.rendering(error, messages: LibraryMessages.all, stage: .encode)
    }
  }
}
