/// The masks as a page for people: the part of `docs/adjustments.md` that a test holds to the code.
package enum MaskReference {
  package static var markdown: String {
    MaskCatalogue.masks.map(section).joined(separator: "\n")
  }

  private static func section(_ mask: MaskDescription) -> String {
    var text = "### \(mask.name)\n\n\(mask.summary)\n\n"
    text += "| Parameter | Values | Default | Meaning |\n|---|---|---|---|\n"
    for parameter in mask.parameters { text += FilterReference.row(.init(parameter)) }
    if mask.hasParts {
      text += "| `masks` | array of masks | must be given | what is put together, in this order |\n"
    }
    return text + "\n- Definition: \(mask.formula).\n- Source: \(mask.source).\n"
  }
}
