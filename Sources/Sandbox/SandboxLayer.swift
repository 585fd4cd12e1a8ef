/// One of the walls around a job's process.
package enum SandboxLayer: String, Sendable, CaseIterable {
  case noNewPrivileges = "no-new-privileges"
  case noCapabilities = "no-capabilities"
  case landlock
  case seccomp
  /// Part of the filter: memory never becomes executable.
  case noExecutableMemory = "no-exec-memory"
}

/// What happens when a layer cannot be had.
package enum LayerRequirement: Sendable, Equatable {
  /// `Sandbox.prepare` throws, naming the layer.
  case required
  /// Goes on without, and the report doesn't list it.
  case bestEffort
  /// Never applied: for tests that look at one layer alone.
  case off
}
