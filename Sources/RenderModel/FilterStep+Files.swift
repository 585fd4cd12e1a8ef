/// A file that a step or its mask reads.
package struct NamedFile: Hashable, Sendable {
  /// Where it is named inside the record's data: `filters[2].path`, `filters[0].mask.masks[1].path`.
  package var field: String
  package var name: String

  package init(field: String, name: String) {
    self.field = field
    self.name = name
  }
}

extension [FilterStep] {
  /// Every file that is named, in the order of the record; one that is named twice comes twice.
  package var namedFiles: [NamedFile] {
    enumerated().flatMap { index, step in
      step.parameters.namedFiles(in: "filters[\(index)]")
        + (step.mask?.namedFiles(in: "filters[\(index)].mask") ?? [])
    }
  }

  /// The same steps with other names for their files.
  package func renamingFiles(
    _ rename: (NamedFile) throws(RenderFailure) -> String
  ) throws(RenderFailure) -> [FilterStep] {
    var steps = self
    for index in steps.indices {
      let field = "filters[\(index)]"
      try steps[index].parameters.renameFiles(in: field, rename)
      try steps[index].mask?.renameFiles(in: field + ".mask", rename)
    }
    return steps
  }
}

extension FilterMask {
  fileprivate func namedFiles(in field: String) -> [NamedFile] {
    parameters.namedFiles(in: field)
      + parts.enumerated().flatMap { index, part in part.namedFiles(in: "\(field).masks[\(index)]")
      }
  }

  fileprivate mutating func renameFiles(
    in field: String, _ rename: (NamedFile) throws(RenderFailure) -> String
  ) throws(RenderFailure) {
    try parameters.renameFiles(in: field, rename)
    for index in parts.indices {
      try parts[index].renameFiles(in: "\(field).masks[\(index)]", rename)
    }
  }
}

extension [FilterStep.Parameter] {
  fileprivate func namedFiles(in field: String) -> [NamedFile] {
    compactMap { parameter in
      guard case .file(let name) = parameter.value else { return nil }
      return NamedFile(field: "\(field).\(parameter.name)", name: name)
    }
  }

  fileprivate mutating func renameFiles(
    in field: String, _ rename: (NamedFile) throws(RenderFailure) -> String
  ) throws(RenderFailure) {
    for index in indices {
      guard case .file(let name) = self[index].value else { continue }
      let file = NamedFile(field: "\(field).\(self[index].name)", name: name)
      self[index].value = .file(try rename(file))
    }
  }
}
