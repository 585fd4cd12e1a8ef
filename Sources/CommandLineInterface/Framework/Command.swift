package import RenderModel

/// A command: what it is, and what it does once its command line is read.
package struct Command: Sendable {
  package var description: CommandDescription
  package var run: @Sendable (ParsedArguments, CommandContext) throws(UsageProblem) -> ExitStatus

  package init(
    _ description: CommandDescription,
    run:
      @escaping @Sendable (ParsedArguments, CommandContext) throws(UsageProblem) -> ExitStatus
  ) {
    self.description = description
    self.run = run
  }
}

/// What a command has around it.
package struct CommandContext {
  /// Results.
  package var output: TextStream
  /// Everything said to a person.
  package var talk: TextStream
  package var environment: [String: String]
  /// Carries manifests through.
  package var performRender: (RenderOptions) -> ExitStatus
  /// Says what carrying them through would do.
  package var performPlan: (PlanOptions) -> ExitStatus
  /// Looks at the machine, with a view to a state folder.
  package var examineMachine: (HostPath) -> MachineFacts

  package init(
    output: TextStream, talk: TextStream, environment: [String: String],
    performRender: @escaping (RenderOptions) -> ExitStatus,
    performPlan: @escaping (PlanOptions) -> ExitStatus,
    examineMachine: @escaping (HostPath) -> MachineFacts = MachineFacts.gather(state:)
  ) {
    self.output = output
    self.talk = talk
    self.environment = environment
    self.performRender = performRender
    self.performPlan = performPlan
    self.examineMachine = examineMachine
  }
}

/// All commands, in the order of the help.
package enum CommandTable {
  package static let commands: [Command] = [
    RenderCommand.command, PlanCommand.command, ValidateCommand.command, FiltersCommand.command,
    VerifyCommand.command, AdoptCommand.command, OrphansCommand.command,
    LedgerCommand.command, QuarantineCommand.command, DoctorCommand.command,
    VersionCommand.command, HelpCommand.command, CompletionsCommand.command,
  ]

  package static var descriptions: [CommandDescription] { commands.map(\.description) }

  package static func find(_ name: String) throws(UsageProblem) -> Command {
    guard let command = commands.first(where: { $0.description.name == name }) else {
      throw .unknownCommand(
        Argument(name).displayed,
        nearest: Spelling.nearest(to: name, among: descriptions.map(\.name)))
    }
    return command
  }
}
