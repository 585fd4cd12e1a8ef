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
