import RenderModel

/// `minilab doctor`: what the machine offers, and what is missing.
package enum DoctorCommand {
  package enum Format: String, Sendable, CaseIterable {
    case text, json
  }

  package static let output = Flag(
    "output", .directory(), "The output folder of the runs that are meant",
    standard: "the current folder", environment: true)
  package static let state = Flag(
    "state", .directory(), "Their folder of journals, ledger, staging and lock",
    standard: "OUTPUT/.minilab", environment: true)
  package static let format = Flag(
    "format", ValueForm<Format>.choice(), "Text for a person or JSON for a program",
    standard: "text")

  package static let command = Command(
    CommandDescription(
      name: "doctor",
      summary: "Say what this machine offers and what is missing",
      discussion: [
        "Shows processors, memory, codecs, the layers of the sandbox and what a sealed process was "
          + "refused when it tried; and for everything that is missing how to get it."
      ],
      flags: [output.description, state.description, format.description],
      examples: [
        .init("minilab doctor", "Look at this machine."),
        .init(
          "minilab doctor --output /renders --format json",
          "Look at the file system of an output folder too, for a program."),
      ],
      exitStatuses: [.success, .usage, .sandboxUnavailable, .configuration])
  ) { arguments, context throws(UsageProblem) in
    let beneathOutput = arguments[output].map {
      HostPath(bytes: $0.bytes + Array("/.minilab".utf8))
    }
    let state = arguments[state] ?? beneathOutput ?? HostPath(".minilab")
    let diagnosis = Diagnosis(context.examineMachine(state))
    switch arguments[format] ?? .text {
    case .text: context.output.write(diagnosis.text(style: context.output.style))
    case .json: context.output.write(diagnosis.json)
    }
    return diagnosis.status
  }
}
