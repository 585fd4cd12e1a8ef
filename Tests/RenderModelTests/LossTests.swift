import RenderModel
import Testing

@Suite("Losses")
struct LossTests {
  @Test("every loss has a name of its own and one sentence")
  func sentences() {
    for loss in Loss.allCases {
      #expect(loss.sentence.hasSuffix("."), "\(loss)")
      #expect(loss.sentence.count <= 120, "\(loss)")
    }
    #expect(Set(Loss.allCases.map(\.sentence)).count == Loss.allCases.count)
  }
}
