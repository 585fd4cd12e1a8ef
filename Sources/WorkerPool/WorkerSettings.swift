package import WorkerProtocol

/// How the worker program is started, and what the pool asks its owner.
package struct WorkerSettings {
  package var programPath: String
  package var arguments: [String]
  /// Bytes left on the outputs' file system; nil: never asked.
  package var diskAvailable: (() -> Int)?
  /// Called when a stop signal arrived.
  package var stopSignalled: (() -> Void)?
  /// Called when the worker has said what it is made of.
  package var ready: ((WorkerDescription) -> Void)?
  package var drainNanoseconds: UInt64 = 10_000_000_000

  package init(programPath: String, arguments: [String] = ["--zygote"]) {
    self.programPath = programPath
    self.arguments = arguments
  }

  /// Fixed before the program starts, since libraries read it in their initialisers.
  ///
  /// One malloc arena keeps the address space honest; LibRaw starts no threads; no back traces.
  /// Symbols are bound before the first fork, so that no job has to look them up again.
  /// A fresh process gets every page of its memory anew: it asks for large ones, and keeps what it has.
  package var environment: [String] {
    [
      "MALLOC_ARENA_MAX=1", "OMP_NUM_THREADS=1", "VIPS_CONCURRENCY=1", "TZ=UTC", "LC_ALL=C.UTF-8",
      "SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "G_SLICE=always-malloc",
      "LD_BIND_NOW=1",
      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=67108864"
        + ":glibc.malloc.trim_threshold=268435456",
    ]
  }
}
