import Digest
import RenderModel
import SystemSupport

/// An output that was sealed, looked at and digested: its bytes cannot change any more.
struct VerifiedOutput: Sendable {
  var descriptor: OwnedDescriptor
  var bytes: Int
  var sha256: String
}

/// Looks at a sealed output from outside: size, first bytes, digest.
enum OutputVerification {
  static func verify(_ descriptor: OwnedDescriptor, claimed: RenderResult.Output, limit: Int)
    -> Result<VerifiedOutput, RenderFailure>
  {
    do {
      guard try MemoryFile.isSealed(descriptor) else { return refuse(claimed, "is not sealed") }
      let size = Int(try FileStatus(of: descriptor).size)
      guard size == claimed.bytes, size > 0 else {
        return refuse(claimed, "has \(size) bytes where \(claimed.bytes) were reported")
      }
      guard size <= limit else {
        return .failure(
          RenderFailure(
            code: .outputTooLarge, stage: .verify,
            detail: "\(size) bytes are more than the largest output allowed, \(limit) bytes"))
      }
      let file = try MappedFile(descriptor)
      let (begins, hex) = unsafe file.withBytes { bytes in
        unsafe (Magic.begins(bytes, as: claimed.type), SHA256Value.of(bytes).hex)
      }
      guard begins else {
        return refuse(claimed, "does not begin as \(claimed.type.rawValue) does")
      }
      return .success(VerifiedOutput(descriptor: descriptor, bytes: size, sha256: hex))
    } catch {
      return refuse(claimed, "cannot be verified: \(error)")
    }
  }

  private static func refuse(_ output: RenderResult.Output, _ words: String)
    -> Result<VerifiedOutput, RenderFailure>
  {
    .failure(
      RenderFailure(
        code: .internal, stage: .verify,
        detail: "the output \(DisplayText.escaped(output.name)) \(words)"))
  }
}

/// The first bytes of the types that Minilab writes.
enum Magic {
  static func begins(_ bytes: UnsafeRawBufferPointer, as type: UniformType) -> Bool {
    let start = unsafe Array(bytes.prefix(12))
    switch type {
    case .jpeg: return start.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: return start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .tiff:
      return start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A])
        || start.starts(with: [0x49, 0x49, 0x2B, 0])
    case .webP:
      return start.starts(with: Array("RIFF".utf8))
        && start.dropFirst(8).starts(with: Array("WEBP".utf8))
    case .avif, .heic: return start.dropFirst(4).starts(with: Array("ftyp".utf8))
    case .jpegXL:
      return start.starts(with: [0xFF, 0x0A])
        || start.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
    default: return false
    }
  }
}
