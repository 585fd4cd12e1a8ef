/// Which module may import which: the table of docs/architecture.md.
enum Walls {
  /// What each target of the package may import of the others.
  static let mayImport: [String: Set<String>] = [
    "CVips": [],
    "CLibRaw": [],
    "CCrypto": [],
    "CSystem": [],
    "CPixelKernels": [],
    "CLanes": [],
    "CImagingShim": ["CVips", "CLibRaw", "CHeif", "CJxl", "COpenJPEG", "CTiff", "CLittleCMS"],
    "CHeif": [],
    "CJxl": [],
    "COpenJPEG": [],
    "CSQLite": [],
    "CTiff": [],
    "CLittleCMS": [],
    "RenderModel": [],
    "JSONText": [],
    "Digest": ["CCrypto", "JSONText"],
    "Adjustments": ["RenderModel", "JSONText", "Digest"],
    "WorkerProtocol": ["RenderModel"],
    "Ledger": ["RenderModel"],
    "ColourEngine": ["RenderModel", "Adjustments", "CPixelKernels", "CLanes"],
    "SystemSupport": ["CSystem"],
    "Sandbox": ["CSystem"],
    "Manifest": ["RenderModel", "JSONText", "Adjustments", "SystemSupport"],
    "Journal": ["RenderModel", "JSONText", "SystemSupport"],
    "SQLiteLedger": ["RenderModel", "Ledger", "SystemSupport", "CSQLite"],
    "Imaging": ["RenderModel", "Adjustments", "ColourEngine", "CImagingShim", "CLanes"],
    "RenderWorker": ["RenderModel", "Imaging", "Sandbox", "WorkerProtocol", "SystemSupport"],
    "WorkerPool": ["RenderModel", "WorkerProtocol", "SystemSupport"],
    "Reporting": ["RenderModel", "JSONText"],
    "Coordinator": [
      "RenderModel", "JSONText", "Adjustments", "Manifest", "Ledger", "Journal", "WorkerPool",
      "WorkerProtocol", "Digest", "SystemSupport", "Reporting",
    ],
    "CommandLineInterface": [
      "RenderModel", "JSONText", "Adjustments", "Manifest", "Ledger", "Journal", "WorkerPool",
      "WorkerProtocol", "SystemSupport", "Coordinator", "Reporting", "SQLiteLedger",
    ],
    "minilab": ["CommandLineInterface"],
    "minilab-worker": ["RenderWorker"],
    "minilab-bench": [
      "RenderModel", "JSONText", "Digest", "Adjustments", "ColourEngine", "Imaging",
      "SystemSupport", "WorkerPool", "CVipsChain", "Ledger", "Journal", "SQLiteLedger",
    ],
    "CVipsChain": ["CVips"],
  ]

  /// What comes with the toolchain and may be imported by all but those that import nothing.
  static let toolchain: Set<String> = ["Glibc", "FoundationEssentials", "Synchronization"]

  /// Targets that need no more than the language.
  static let pure: Set<String> = ["RenderModel", "JSONText"]

  /// Targets that are linked into the worker, which forks: no threads but its own, no Foundation.
  static let inWorker: Set<String> = [
    "RenderModel", "JSONText", "Digest", "Adjustments", "WorkerProtocol", "ColourEngine",
    "SystemSupport", "Sandbox", "Imaging", "RenderWorker", "minilab-worker",
  ]

  /// Only these reach the imaging libraries.
  static let nearImaging: Set<String> = [
    "CImagingShim", "Imaging", "RenderWorker", "minilab-worker", "minilab-bench", "CVipsChain",
  ]
  static let imaging: Set<String> = [
    "CVips", "CLibRaw", "CHeif", "CJxl", "COpenJPEG", "CTiff", "CLittleCMS", "CImagingShim",
    "Imaging",
  ]

  /// Only these may know which database is used: those that choose it, and the ledgers themselves.
  static let aboveDatabases: Set<String> = [
    "CommandLineInterface", "minilab", "minilab-bench", "SQLiteLedger",
  ]
  static let databases: Set<String> = ["CSQLite", "SQLiteLedger", "CPostgres", "PostgresStore"]

  /// Only these know the kernel's own interfaces; all others go through them.
  static let aboveKernel: Set<String> = ["SystemSupport", "Sandbox"]
}
