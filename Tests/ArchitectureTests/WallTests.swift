import Testing

@Suite("Walls between the targets")
struct WallTests {
  @Test("no source file imports what its target may not, directly or through others")
  func sources() throws {
    let graph = try Repository.importGraph()
    #expect(graph.direct.count >= 20)
    #expect(graph.direct["minilab"] == ["CommandLineInterface", "Glibc"])
    #expect(graph.violations() == [])
  }

  @Test("RenderModel imports nothing at all")
  func renderModel() throws {
    #expect(try Repository.importGraph().direct["RenderModel"] == [])
  }

  @Test("the program that people start reaches no imaging library, the worker does")
  func programs() throws {
    let graph = try Repository.importGraph()
    #expect(graph.reachable(from: "minilab").isDisjoint(with: Walls.imaging))
    #expect(graph.reachable(from: "minilab-worker").isSuperset(of: Walls.imaging))
  }

  @Test("what is linked into the worker is known, and is what reaches imaging and what that needs")
  func worker() {
    let graph = ImportGraph(direct: Walls.mayImport)
    let needed = graph.reachable(from: "minilab-worker").filter {
      !$0.hasPrefix("C") || $0 == "ColourEngine"
    }
    #expect(needed.union(["minilab-worker"]) == Walls.inWorker)
  }

  @Test("the table of walls is the package's own")
  func package() throws {
    let package = try Repository.text("Package.swift").filter { !$0.isWhitespace }
    for (target, imports) in Walls.mayImport {
      let spellings = ["library(\"", "program(\"", ".target(name:\"", ".systemLibrary(name:\""]
      let entry = try #require(
        spellings.lazy.compactMap { package.split(separator: "\($0)\(target)\"", maxSplits: 1) }
          .first { $0.count == 2 }?.last?.prefix { $0 != ")" }, "\(target) is no target")
      let list = entry.split(separator: "[", maxSplits: 1).dropFirst().first?.prefix { $0 != "]" }
      let isLibraryOfTheSystem = entry.contains("providers:")
      let names =
        isLibraryOfTheSystem ? [] : (list ?? "").split { "\",".contains($0) }.map(String.init)
      #expect(Set(names) == imports, "\(target)")
    }
    for target in try Repository.importGraph().direct.keys {
      #expect(Walls.mayImport[target] != nil, "\(target) has no walls")
    }
  }

  @Test(
    "a made-up breach is found",
    arguments: [
      ("RenderModel", "JSONText", "RenderModel may not import JSONText"),
      ("RenderModel", "Glibc", "RenderModel may not import Glibc"),
      ("Coordinator", "Foundation", "Coordinator may not import Foundation"),
      ("Imaging", "FoundationEssentials", "Imaging may not import FoundationEssentials"),
      ("Coordinator", "Imaging", "minilab reaches CVips"),
      ("WorkerPool", "SQLiteLedger", "WorkerPool reaches SQLiteLedger"),
      ("Journal", "CSystem", "Journal goes past SystemSupport"),
      ("Digest", "Adjustments", "Digest imports itself in a circle"),
      ("NewTarget", "Glibc", "NewTarget is not in the table of walls"),
    ])
  func positiveControl(target: String, imported: String, expected: String) {
    var graph = ImportGraph(direct: Walls.mayImport)
    #expect(graph.violations() == [])
    graph.direct[target, default: []].insert(imported)
    #expect(graph.violations().contains(expected))
  }

  @Test(
    "an import is recognised in every spelling",
    arguments: [
      ("import CVips", ["CVips"]),
      ("package import CVips  // why", ["CVips"]),
      ("@testable import Imaging", ["Imaging"]),
      ("@preconcurrency internal import struct Imaging.Picture", ["Imaging"]),
      ("  import func Glibc.read; import B", ["Glibc"]),
      ("// import CVips", []),
      ("/* import CVips\nimport B */\nimport C", ["C"]),
      ("let text = \"\"\"\n  import CVips\n  \"\"\"\nimport D", ["D"]),
      ("let important = 1", []),
    ] as [(String, Set<String>)])
  func spellings(text: String, modules: Set<String>) {
    #expect(ImportLines.modules(inSwift: text) == modules)
  }

  @Test("an include of a library's header counts as an import of its map")
  func includes() {
    let text = "#include <stdio.h>\n#  include <vips/vips.h>\n#include \"CSystem.h\"\n"
    let known = ["vips/": "CVips", "CSystem.h": "CSystem"]
    #expect(ImportLines.modules(inC: text, known: known) == ["CVips", "CSystem"])
  }
}
