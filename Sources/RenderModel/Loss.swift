/// What a picture had and its renditions have not: the names that reports list under `losses`.
package enum Loss: String, Hashable, Sendable, CaseIterable {
  case alpha, bitDepth, wideGamut, cmyk, profile
  case gainMap, depth, motionVideo, animation, pages, panorama
  case exif, xmp, iptc, makerNote, regions, contentCredentials, clippingPaths
  case hdr, thumbnail, mattes, auxiliaryImages, extraChannels, pixelAspect
  case fullResolutionFiltering, quality, sensorData

  /// One sentence for the person who reads the report.
  package var sentence: String {
    switch self {
    case .alpha: "The original is transparent in places; the rendition is not."
    case .bitDepth: "The original has more bits a sample than the rendition."
    case .wideGamut:
      "Some colours lie outside the rendition's space and were clipped; the notes have their share."
    case .cmyk: "The original is CMYK; the rendition is RGB."
    case .profile: "The original's colour profile is broken or does not fit, and is not used."
    case .gainMap: "The HDR gain map is gone, and nothing in the rendition promises it."
    case .depth: "The depth map is gone, and nothing in the rendition promises it."
    case .motionVideo: "The video of a motion photo is gone, and nothing promises it."
    case .animation: "Only the first frame was rendered."
    case .pages: "Only the first page or picture of the file was rendered."
    case .panorama: "The panorama's geometry does not fit the rendition's pixels and is gone."
    case .exif: "Exif data could not be kept, or not all of them."
    case .xmp: "The XMP packet could not be kept, or not all of it."
    case .iptc: "The IPTC block could not be kept, and XMP does not say the same."
    case .makerNote: "The camera maker's notes could not be kept, or not all of them."
    case .regions: "Regions marked in the picture (faces, focus) no longer fit it and are gone."
    case .contentCredentials: "Signed credentials (C2PA) held for the original and are gone."
    case .clippingPaths: "Clipping paths and other Photoshop resources are gone."
    case .hdr:
      "The original's lights go beyond white; they are rolled off to what a display of today shows."
    case .thumbnail: "The small picture that the original brings along is gone."
    case .mattes: "Cut-outs (hair, skin, sky) that the camera added are gone."
    case .auxiliaryImages: "Further pictures that belong to the original are gone."
    case .extraChannels: "Channels beyond colour and opacity are gone."
    case .pixelAspect:
      "The original's pixels are not square; the rendition's are taken as if they were."
    case .quality: "The quality was lowered so that the file keeps to `maxBytes`."
    case .sensorData: "The preview inside the RAW file was rendered, not the sensor's data."
    case .fullResolutionFiltering: "Filters ran on the reduced picture (`deliveryMode`: `fast`)."
    }
  }
}
