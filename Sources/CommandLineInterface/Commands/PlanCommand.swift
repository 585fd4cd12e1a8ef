import RenderModel

/// `minilab plan`: what a render would do, and why.
package enum PlanCommand {
  package static let list = Switch(
    "list", group: .reporting,
    "Name every job that would be done, kept, or fail before it starts, with the reason")
  package static let explain = Flag(
    "explain", .job(), group: .reporting,
    "Tell the whole story of one job, by its id or its asset's path, in place of the plan: what is "
      + "recorded, what is there now, and which comparison decides")
  package static let format = Flag(
    "format", ValueForm<PlanOptions.Format>.choice(), group: .reporting,
    "Text for a person, or for a program JSON: a line for each listed job and one for the whole plan",
    standard: "text")

  package static let command = Command(description) { arguments, context throws(UsageProblem) in
    context.performPlan(try options(from: arguments))
  }

  package static let description = CommandDescription(
    name: "plan",
    summary: "Say what a render would do and why, and touch nothing",
    discussion: [
      "Decides about every job as 'minilab render' with the same options would, counts them by "
        + "reason, and tells from past renders what it would cost. Nothing is made or changed, "
        + "neither in the output folder nor in the state folder; both may be read-only.",
      "Where there is no ledger, or one that a killed run left open, the journals are read in its "
        + "place. While a run holds the state folder there is no plan: what it would say changes "
        + "all the time.",
    ],
    operand: CommandDescription.Operand(
      "MANIFEST", .oneOrMore,
      "A manifest (JSON or JSON Lines), or a folder, which means all its pictures",
      completion: .files),
    flags: [
      RenderFlags.output.description, RenderFlags.library.description,
      RenderFlags.limit.description, RenderFlags.force.description,
      RenderFlags.onlyReason.description, RenderFlags.rebuildOn.description,
      RenderFlags.tolerant.description, RenderFlags.acceptRemovedEdits.description,
      RenderFlags.metadataOnly.description, RenderFlags.invalid.description,
      RenderFlags.caseInsensitive.description, RenderFlags.workers.description,
      RenderFlags.deadline.description, RenderFlags.state.description,
      list.description, explain.description, format.description,
    ],
    examples: [
      .init(
        "minilab plan jobs/nightly.json --output /renders",
        "How much there is to do, why, and what it would cost."),
      .init(
        "minilab plan jobs/nightly.json --output /renders --list",
        "Which jobs, a line for each."),
      .init(
        "minilab plan nightly.jsonl --output /renders --list --format json",
        "The same for a program."),
      .init(
        "minilab plan nightly.jsonl --output /renders --explain 2024/harbour.jpg",
        "Why this photo is rendered, kept or left alone."),
      .init(
        "minilab plan nightly.jsonl --output /renders --only-reason filterChanged:blur",
        "What would be done for one reason alone."),
    ],
    exitStatuses: [
      .success, .internalError, .usage, .manifestInvalid, .storeUnreachable, .outputUnwritable,
      .configuration,
    ])

  package static func options(from arguments: ParsedArguments) throws(UsageProblem) -> PlanOptions {
    var options = PlanOptions(render: try RenderCommand.options(from: arguments))
    options.isListed = arguments[list]
    options.explained = arguments[explain]?.bytes
    if let value = arguments[format] { options.format = value }
    return options
  }
}

/// What `minilab plan` was asked to do.
package struct PlanOptions: Hashable, Sendable {
  package enum Format: String, Hashable, Sendable, CaseIterable {
    case text, json
  }

  /// The render that is planned.
  package var render: RenderOptions
  package var isListed = false
  /// The id or the asset's path of the job whose story is told; nil for the plan.
  package var explained: [UInt8]?
  package var format = Format.text

  package init(render: RenderOptions) { self.render = render }
}

extension ValueForm where Value == Argument {
  /// A job's id or an asset's path, as bytes.
  package static func job() -> Self {
    ValueForm(
      placeholder: "JOB", expectation: "the id of a job or the path of its asset",
      read: { $0.bytes.isEmpty ? nil : $0 })
  }
}
