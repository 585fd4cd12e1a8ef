import Glibc
import SystemSupport
import WorkerPool

/// What one run of a program cost.
struct Measurement {
  /// Seconds from the start to the end.
  var wall = 0.0
  /// Seconds of processor time of the program itself, all its threads.
  var ownCPU = 0.0
  /// Seconds of processor time of the processes that it started and waited for, and of theirs.
  var childCPU = 0.0
  /// The program's own highest resident size in bytes, its children's not counted.
  var peakResident = 0
  /// What it wrote to standard output.
  var output: [UInt8] = []
}

/// Starts a program, waits for its end and reads from the kernel what it used.
enum MeasuredProgram {
  /// The programs that were built together are beside each other.
  static func path(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw BenchFailure("/proc/self/exe cannot be read") }
    let own = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = own.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(folder)/\(name)"
  }

  /// The bare loop gets the very environment that the pool gives its worker.
  static let environment = WorkerSettings(programPath: "").environment

  /// Throws when the program does not end with 0.
  static func run(_ name: String, _ arguments: [String]) throws -> Measurement {
    let output = try MemoryFile.create(name: "output")
    let started = BootClock.now()
    let child = try ChildProcess.spawn(
      path: try path(name), arguments: arguments, environment: environment,
      descriptors: [(output.rawValue, 1), (2, 2)])
    var measurement = Measurement()
    // The high-water mark goes with the memory, before the end can be seen: look now and then.
    while try !child.hasEnded(withinMilliseconds: 50) {
      measurement.peakResident = max(
        measurement.peakResident, Self.peakResident(child.pid) ?? 0)
    }
    measurement.wall = Double(BootClock.now() - started) / 1_000_000_000
    // Not waited for yet, so its account is still there.
    (measurement.ownCPU, measurement.childCPU) = try cpu(child.pid)
    let report = try child.wait()
    guard report.status == .exited(0) else {
      throw BenchFailure("\(name) \(arguments.joined(separator: " ")): \(report.status)")
    }
    measurement.output = try FileTransfer.readAll(output, limit: 16 << 20)
    return measurement
  }

  /// Own and waited-for seconds, in hundredths.
  private static func cpu(_ pid: Int32) throws -> (own: Double, children: Double) {
    let text = try read("/proc/\(pid)/stat")
    // The name, in brackets, may hold anything.
    let fields = (text.split(separator: ")").last ?? "").split(separator: " ").map { Double($0) }
    guard fields.count > 14, let user = fields[11], let system = fields[12],
      let childUser = fields[13], let childSystem = fields[14]
    else { throw BenchFailure("/proc/\(pid)/stat is of an unknown form") }
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    return ((user + system) / ticks, (childUser + childSystem) / ticks)
  }

  private static func peakResident(_ pid: Int32) -> Int? {
    guard let text = try? read("/proc/\(pid)/status") else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  private static func read(_ path: String) throws -> String {
    let file = try OwnedDescriptor.open(path: path, flags: O_RDONLY)
    return String(decoding: try FileTransfer.readAll(file, limit: 1 << 16), as: UTF8.self)
  }
}

/// Whether the machine is quiet enough for figures to mean something.
enum MachineLoad {
  /// The load average of the last minute; nil when the kernel does not say.
  static func current() -> Double? {
    var loads = [0.0]
    return unsafe getloadavg(&loads, 1) == 1 ? loads[0] : nil
  }
}
