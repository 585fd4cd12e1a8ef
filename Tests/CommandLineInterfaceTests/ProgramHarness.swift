import RenderModel

@testable import CommandLineInterface

/// The program with everything around it replaced by records of what was done.
final class ProgramHarness {
  private(set) var output = ""
  private(set) var talk = ""
  private(set) var asked: [RenderOptions] = []
  private(set) var planned: [PlanOptions] = []
  var environment: [String: String] = [:]
  var style = TextStyle.plain
  /// What a write to standard output gives back.
  var outputError: Int32 = 0
  /// What `doctor` finds; nil: this machine's.
  var facts: ((HostPath) -> MachineFacts)?
  private(set) var writesAttempted = 0
  private let status: ExitStatus

  init(status: ExitStatus = .success) { self.status = status }

  func run(_ words: [Argument]) -> ExitStatus {
    let context = CommandContext(
      output: TextStream(
        style: style,
        sink: { bytes in
          self.writesAttempted += 1
          if self.outputError == 0 { self.output += String(decoding: bytes, as: UTF8.self) }
          return self.outputError
        }),
      talk: TextStream(
        style: style,
        sink: { bytes in
          self.talk += String(decoding: bytes, as: UTF8.self)
          return 0
        }),
      environment: environment,
      performRender: { options in
        self.asked.append(options)
        return self.status
      },
      performPlan: { options in
        self.planned.append(options)
        return self.status
      },
      examineMachine: facts ?? MachineFacts.gather(state:))
    return MinilabProgram(context).run(words)
  }
}
