// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: language mode 6 with warnings as errors and strict memory safety.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let strictC: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-O2"])]
/// LibRaw and Exiv2 are C++; the headers of the latter use what later standards have dropped.
let strictCXX: [CXXSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-O2"])]

func library(_ name: String, _ dependencies: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: strict)
}

/// Rounds after each operation, as Swift does, so that pixels do not depend on the processor.
let steadyC = strictC + [.unsafeFlags(["-ffp-contract=off"])]

/// Pixel code is made for processors of 2013 and later (AVX2), where that is asked for by name.
#if arch(x86_64)
  let wide = strict + [.unsafeFlags(["-Xcc", "-march=haswell", "-target-cpu", "haswell"])]
  let wideC = steadyC + [.unsafeFlags(["-march=haswell"])]
#else
  let wide = strict
  let wideC = steadyC
#endif

func program(_ name: String, _ dependencies: [String], path: String? = nil) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path,
    swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: strict)
}

let package = Package(
  name: "minilab",
  products: [
    .executable(name: "minilab", targets: ["minilab"]),
    .executable(name: "minilab-worker", targets: ["minilab-worker"]),
  ],
  targets: [
    // C: module maps and shims. No policy here.
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CLibRaw", providers: [.apt(["libraw-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(name: "CTiff", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(name: "CLittleCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CJxl", pkgConfig: "libjxl", providers: [.apt(["libjxl-dev"])]),
    .systemLibrary(
      name: "COpenJPEG", pkgConfig: "libopenjp2", providers: [.apt(["libopenjp2-7-dev"])]),
    .target(
      name: "CImagingShim",
      dependencies: ["CVips", "CLibRaw", "CHeif", "CJxl", "COpenJPEG", "CTiff", "CLittleCMS"],
      cSettings: strictC, cxxSettings: strictCXX,
      linkerSettings: ["gmodule-2.0", "aom", "raw_r", "exiv2", "z"].map { .linkedLibrary($0) }),
    .target(name: "CSystem", cSettings: strictC),
    .target(name: "CPixelKernels", cSettings: wideC),
    .target(name: "CLanes"),

    // Values and pure decisions.
    library("RenderModel"),
    library("JSONText"),
    library("Digest", ["CCrypto", "JSONText"]),
    library("Adjustments", ["RenderModel", "JSONText", "Digest"]),
    library("WorkerProtocol", ["RenderModel"]),
    library("Ledger", ["RenderModel"]),
    .target(
      name: "ColourEngine",
      dependencies: ["RenderModel", "Adjustments", "CPixelKernels", "CLanes"],
      swiftSettings: wide),

    // What touches the system.
    library("SystemSupport", ["CSystem"]),
    library("Sandbox", ["CSystem"]),
    library("Manifest", ["RenderModel", "JSONText", "Adjustments", "SystemSupport"]),
    library("Journal", ["RenderModel", "JSONText", "SystemSupport"]),
    library("SQLiteLedger", ["RenderModel", "Ledger", "SystemSupport", "CSQLite"]),

    // The worker's side.
    .target(
      name: "Imaging",
      dependencies: ["RenderModel", "Adjustments", "ColourEngine", "CImagingShim", "CLanes"],
      swiftSettings: wide),
    library(
      "RenderWorker", ["RenderModel", "Imaging", "Sandbox", "WorkerProtocol", "SystemSupport"]),

    // The coordinator's side.
    library("WorkerPool", ["RenderModel", "WorkerProtocol", "SystemSupport"]),
    library("Reporting", ["RenderModel", "JSONText"]),
    library(
      "Coordinator",
      [
        "RenderModel", "JSONText", "Adjustments", "Manifest", "Ledger", "Journal", "WorkerPool",
        "WorkerProtocol", "Digest", "SystemSupport", "Reporting",
      ]),
    library(
      "CommandLineInterface",
      [
        "RenderModel", "JSONText", "Adjustments", "Manifest", "Ledger", "Journal", "WorkerPool",
        "WorkerProtocol", "SystemSupport", "Coordinator", "Reporting", "SQLiteLedger",
      ]),

    // Programs: call and exit.
    program("minilab", ["CommandLineInterface"]),
    program("minilab-worker", ["RenderWorker"]),
    // Measures both from outside; not a product.
    program(
      "minilab-bench",
      [
        "RenderModel", "JSONText", "Digest", "Adjustments", "ColourEngine", "Imaging",
        "SystemSupport", "WorkerPool", "CVipsChain", "Ledger", "Journal", "SQLiteLedger",
      ],
      path: "benchmarks/minilab-bench"),
    // What is measured against: the same filters by operations of libvips.
    .target(
      name: "CVipsChain", dependencies: ["CVips"], path: "benchmarks/CVipsChain",
      cSettings: strictC),

    // Tests, a target for each room, and one that starts the real programs.
    tests("RenderModelTests", ["RenderModel"]),
    tests("JSONTextTests", ["JSONText"]),
    tests("DigestTests", ["Digest", "JSONText"]),
    tests("AdjustmentsTests", ["Adjustments", "RenderModel", "JSONText"]),
    tests("ManifestTests", ["Manifest", "RenderModel", "JSONText", "SystemSupport"]),
    tests("WorkerProtocolTests", ["WorkerProtocol", "RenderModel"]),
    tests("LedgerTests", ["Ledger", "SQLiteLedger", "RenderModel", "SystemSupport", "CSQLite"]),
    tests("JournalTests", ["Journal", "Ledger", "RenderModel", "SystemSupport", "JSONText"]),
    tests("ColourEngineTests", ["ColourEngine", "Adjustments", "RenderModel", "JSONText"]),
    tests("SystemSupportTests", ["SystemSupport"]),
    tests("SandboxTests", ["Sandbox", "SystemSupport"]),
    tests(
      "ImagingTests",
      [
        "Imaging", "RenderModel", "ColourEngine", "Adjustments", "Digest", "JSONText", "CLittleCMS",
      ]),
    tests("WorkerPoolTests", ["WorkerPool", "WorkerProtocol", "RenderModel", "SystemSupport"]),
    tests("ReportingTests", ["Reporting", "RenderModel", "JSONText"]),
    tests(
      "CoordinatorTests",
      [
        "Coordinator", "RenderModel", "Manifest", "Journal", "Ledger", "WorkerPool",
        "SystemSupport", "JSONText", "Reporting", "Digest",
      ]),
    tests(
      "CommandLineInterfaceTests",
      ["CommandLineInterface", "RenderModel", "JSONText", "SystemSupport", "Journal"]),
    tests("ArchitectureTests", []),
    tests(
      "EndToEndTests",
      [
        "RenderModel", "JSONText", "SystemSupport", "Digest", "WorkerPool", "WorkerProtocol",
        "Coordinator", "Reporting", "Ledger", "SQLiteLedger", "minilab", "minilab-worker",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
