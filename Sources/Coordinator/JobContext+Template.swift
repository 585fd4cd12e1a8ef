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

  /// What the name of the report file is filled from: it belongs to the job, not to one rendition.
  var reportTemplateValues: OutputTemplate.Values {
    OutputTemplate.Values(
      job: job.id, asset: assetPath, rendition: "",
      type: job.outputs.first?.rendition.type ?? .data,
      captured: asset.captured, sha256: asset.sha256)
  }
}
