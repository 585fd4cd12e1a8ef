internal import CSystem
internal import Glibc

/// One attempt and what came of it.
package struct ProbeResult: Sendable, Equatable {
  package let name: String
  package let expected: ProbeOutcome
  package let observed: ProbeOutcome

  /// The sandbox stopped it, in the way that it should.
  package var refused: Bool { observed == expected }

  package init(name: String, expected: ProbeOutcome, observed: ProbeOutcome) {
    self.name = name
    self.expected = expected
    self.observed = observed
  }
}

/// Tries what a sealed process must not be able to do, each in a sealed process of its own.
package enum SandboxProbe {
  /// The exit status of a child that couldn't be sealed; no errno has this number.
  static let notSealed: Int32 = 255

  /// Makes one attempt in this process, which should be sealed already.
  ///
  /// Gives 0 when it succeeded, else the errno. A violation ends the process. nil: no such attempt.
  package static func attempt(
    _ name: String, targets: ProbeTargets = .none
  ) -> Int32? {
    ProbeAttempt(rawValue: name)?.perform(targets)
  }

  /// Forks a child for each attempt, seals it, and looks how it ends.
  ///
  /// One result for each attempt, in their order. `sandbox` nil is a control run in which nothing is
  /// sealed. `user` is the user and group to become first, in a process of root's.
  package static func run(
    _ attempts: [ProbeAttempt] = ProbeAttempt.allCases, in sandbox: PreparedSandbox?,
    asUser user: UInt32? = nil
  ) -> [ProbeResult] {
    attempts.map { attempt in
      ProbeResult(
        name: attempt.rawValue, expected: attempt.expected,
        observed: observe(attempt, in: sandbox, asUser: user))
    }
  }

  private static func observe(
    _ attempt: ProbeAttempt, in sandbox: PreparedSandbox?, asUser user: UInt32?
  ) -> ProbeOutcome {
    let stranger = ForkedChild {
      guard become(user) else { return notSealed }
      while true { pause() }
    }
    guard stranger.pid > 0 else { return .unclear }
    let scratch = ProbeScratch(owner: user)
    let targets = ProbeTargets(
      parent: getpid(), stranger: Int32(stranger.pid), file: scratch.file,
      directory: scratch.directory)
    let child = ForkedChild {
      guard become(user) else { return notSealed }
      if let sandbox {
        do { _ = try sandbox.apply() } catch { return notSealed }
      }
      return attempt.perform(targets)
    }
    let outcome = ProbeOutcome(child.wait())
    kill(Int32(stranger.pid), SIGKILL)
    _ = stranger.wait()
    scratch.remove()
    return outcome
  }

  private static func become(_ user: UInt32?) -> Bool {
    guard let user else { return true }
    let id = UInt(user)
    return call("setgroups", 0, 0) == 0 && call("setresgid", id, id, id) == 0
      && call("setresuid", id, id, id) == 0
  }
}

/// A directory with one file in it, for attempts on files to be aimed at.
private struct ProbeScratch {
  let directory: String
  var file: String { directory + "/file" }

  init(owner: UInt32?) {
    var template = Array("/tmp/minilab-probe-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    directory = made ?? ProbeTargets.none.directory
    let descriptor = unsafe open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    if let owner {
      unsafe chown(directory, owner, owner)
      unsafe chown(file, owner, owner)
    }
  }

  func remove() {
    for name in ["/file", "/created", "/renamed", "/link"] { unsafe unlink(directory + name) }
    unsafe rmdir(directory + "/made")
    unsafe rmdir(directory)
  }
}
