import RenderModel
import Testing

@testable import Ledger

@Suite struct MemoryLedgerTests {
  @Test("the ledger in memory does what every ledger must")
  func conformance() throws {
    try expectConformance { MemoryLedger() }
  }

  @Test("ids whose hashes collide stay apart", arguments: [UInt64(1), 3])
  func collisions(buckets: UInt64) throws {
    try expectConformance { MemoryLedger { PackedEntries.hash($0) % buckets } }
  }

  @Test("an entry with two outputs costs at most 400 bytes, however often it was replaced")
  func footprint() throws {
    let ledger = MemoryLedger()
    let jobs = 10_000
    for round in 1...6 {
      for number in 0..<jobs {
        let job = "2024/06/IMG_\(number).JPG"
        // Digests that share nothing, as real ones do.
        let start = String(number &* 2_654_435_761 + round, radix: 16)
        var made = report(.rendered, job: job, source: start, adjustment: start, run: "R\(round)")
        made.resources = nil
        for index in made.renditions.indices {
          let name = made.renditions[index].name
          made.renditions[index].path = "2024/06/IMG_\(number).\(name).jpg"
          made.renditions[index].bytes = 5_000_000
        }
        try ledger.absorb([made], upTo: nil)
      }
      if round == 1 { #expect(ledger.footprint <= 400 * jobs) }
    }
    #expect(ledger.count() == jobs)
    // Replaced entries are dropped once they outweigh the others.
    #expect(ledger.footprint <= 3 * 400 * jobs)
  }
}
