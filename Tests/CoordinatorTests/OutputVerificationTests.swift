import Glibc
import RenderModel
import SystemSupport
import Testing

@testable import Coordinator

/// An output of a process that is not trusted is looked at once nobody can change it.
@Suite("Output verification")
struct OutputVerificationTests {
  private func verify(
    _ file: OwnedDescriptor, bytes: Int, type: UniformType = .jpeg, limit: Int = 1 << 20
  ) -> Result<VerifiedOutput, RenderFailure> {
    OutputVerification.verify(
      file,
      claimed: RenderResult.Output(
        name: "full", type: type, bytes: bytes, width: 1, height: 1, profile: "sRGB", bitDepth: 8),
      limit: limit)
  }

  private func failure(_ result: Result<VerifiedOutput, RenderFailure>) -> RenderFailure? {
    guard case .failure(let failure) = result else { return nil }
    return failure
  }

  @Test("a whole output is measured and digested")
  func whole() throws {
    let file = try memoryFile(jpegBytes("abc"))
    let output = try verify(file, bytes: 7).get()
    #expect(output.bytes == 7)
    // sha256sum of FF D8 FF E0 61 62 63.
    #expect(
      output.sha256 == "964dbefaad551579b528d6dcd6d448aecba5f9017e9bf4c291c257aa10389b78")
  }

  @Test("another size than was claimed is refused, and so is nothing", arguments: [6, 8, 0])
  func wrongSize(claim: Int) throws {
    let failure = failure(verify(try memoryFile(jpegBytes("abc")), bytes: claim))
    #expect(failure?.code == .internal)
    #expect(failure?.stage == .verify)
    #expect(failure?.detail.contains("7 bytes") == true)
    #expect(self.failure(verify(try memoryFile([]), bytes: 0))?.code == .internal)
  }

  @Test("more than is allowed is too large")
  func tooLarge() throws {
    let file = try memoryFile(jpegBytes("abc"))
    #expect(failure(verify(file, bytes: 7, limit: 6))?.code == .outputTooLarge)
    let another = try memoryFile(jpegBytes("abc"))
    #expect(failure(verify(another, bytes: 7, limit: 7)) == nil)
  }

  struct Form: CustomTestStringConvertible, Sendable {
    var type: UniformType
    var start: [UInt8]
    var testDescription: String { type.rawValue }
  }

  // From the formats' own specifications.
  static let forms = [
    Form(type: .jpeg, start: [0xFF, 0xD8, 0xFF, 0xDB]),
    Form(type: .png, start: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    Form(type: .tiff, start: [0x49, 0x49, 0x2A, 0x00]),
    Form(type: .tiff, start: [0x4D, 0x4D, 0x00, 0x2A]),
    Form(type: .webP, start: Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBP".utf8)),
    Form(type: .avif, start: [0, 0, 0, 0x1C] + Array("ftypavif".utf8)),
  ]

  @Test("an output begins as its type does and as no other does", arguments: forms)
  func magic(form: Form) throws {
    let bytes = form.start + [UInt8](repeating: 0, count: 16)
    for type in Set(Self.forms.map(\.type)) {
      let result = verify(try memoryFile(bytes), bytes: bytes.count, type: type)
      if type == form.type {
        #expect(failure(result) == nil)
      } else {
        #expect(failure(result)?.detail.contains("does not begin") == true, "\(type.rawValue)")
      }
    }
    let cut = Array(form.start.prefix(2))
    #expect(failure(verify(try memoryFile(cut), bytes: 2, type: form.type)) != nil)
  }

  @Test("what was not sealed is refused")
  func unsealed() throws {
    let file = try MemoryFile.create(name: "test")
    try FileTransfer.writeAll(file, jpegBytes("abc"))
    let failure = failure(verify(file, bytes: 7))
    #expect(failure?.code == .internal)
    #expect(failure?.detail.contains("is not sealed") == true)
  }

  @Test("what is no memory file is refused, not digested")
  func ordinaryFile() throws {
    let fixture = try RunFixture()
    try fixture.write("a.jpg", jpegBytes("abc"))
    let file = try fixture.output.openBeneath(Array("a.jpg".utf8), flags: O_RDWR)
    #expect(failure(verify(file, bytes: 7))?.code == .internal)
  }
}
