import Imaging
import Sandbox
import SystemSupport
import WorkerProtocol

/// The worker program: a zygote on descriptor 3, or a description of itself on standard output.
package enum WorkerMain {
  /// Returns the exit status of the program.
  package static func run(arguments: [String]) -> Int32 {
    guard let options = WorkerOptions(arguments: Array(arguments.dropFirst())) else {
      complain(WorkerOptions.usage)
      return 64
    }
    switch options.mode {
    case .describe: return WorkerDescriptionPage.write(options)
    case .zygote: return Zygote.run(options)
    }
  }

  static func complain(_ text: String) {
    StandardError.say(text)
  }
}

/// What the coordinator says on the worker's command line.
struct WorkerOptions {
  enum Mode { case zygote, describe }

  static let usage = """
    minilab-worker is started by minilab and is of no use alone.
    usage: minilab-worker --zygote [--sandbox required|best-effort] [--landlock-abi N] [--allow-faults]
           minilab-worker --describe
    """

  var mode: Mode
  /// Missing layers are gone without instead of refusing to start.
  var bestEffort = false
  /// The highest Landlock ABI to use; nil for what the kernel has.
  var landlockABI: Int?
  /// Faults in requests are honoured: for tests of the pool.
  var allowFaults = false

  init?(arguments: [String]) {
    var mode: Mode?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--zygote": mode = .zygote
      case "--describe": mode = .describe
      case "--allow-faults": allowFaults = true
      case "--sandbox":
        switch rest.popFirst() {
        case "required": bestEffort = false
        case "best-effort": bestEffort = true
        default: return nil
        }
      case "--landlock-abi":
        guard let text = rest.popFirst(), let abi = Int(text) else { return nil }
        landlockABI = abi
      default: return nil
      }
    }
    guard let mode else { return nil }
    self.mode = mode
  }
}
