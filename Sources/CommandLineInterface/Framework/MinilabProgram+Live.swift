import Glibc
import RenderModel

extension MinilabProgram {
  /// Runs the command line of this process; gives back the exit status.
  package static func main() -> Int32 {
    // A reader who goes away is noticed by the write that fails, not by being killed.
    _ = signal(SIGPIPE, SIG_IGN)
    let environment = ProcessEnvironment.variables()
    let output = TextStream(descriptor: STDOUT_FILENO, environment: environment)
    let context = CommandContext(
      output: output,
      talk: TextStream(descriptor: STDERR_FILENO, environment: environment),
      environment: environment,
      performRender: { options in
        RenderRun.perform(options, output: output, environment: environment)
      },
      performPlan: { options in
        PlanRun.perform(options, output: output, environment: environment)
      })
    return MinilabProgram(context).run(ProcessEnvironment.arguments()).rawValue
  }
}

/// What the process was started with.
enum ProcessEnvironment {
  /// The words after the program's own name, as raw bytes.
  static func arguments() -> [Argument] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe Argument(bytes: bytes(of: word))
    }
  }

  /// Variables whose value is not UTF-8 have the bad bytes replaced.
  static func variables() -> [String: String] {
    var result: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      if let (name, value) = unsafe Argument(bytes: bytes(of: text)).splitAtEquals {
        result[name.text] = value.text
      }
      unsafe entry += 1
    }
    return result
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
  }
}
