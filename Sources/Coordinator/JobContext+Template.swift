import RenderModel

extension JobContext {
  /// What a name template is filled from once the output is there.
  func templateValues(_ rendition: Rendition, _ output: RenderResult.Output)
    -> OutputTemplate.Values
  {
    OutputTemplate.Values(
      job: job.id, asset: assetPath, rendition: rendition.name, type: output.type,
      width: output.width, height: output.height, captured: asset.captured, sha256: asset.sha256)
  }
}

extension OutputTemplate {
  /// Whether two jobs could get one name without the manifest showing it.
  var isKnownOnlyAfterRendering: Bool {
    pieces.contains { piece in
      guard case .field(let field) = piece else { return false }
      return switch field {
      case .width, .height, .captured, .sha256: true
      default: false
      }
    }
  }
}
