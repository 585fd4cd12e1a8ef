import Synchronization
import SystemSupport
import Testing

@Suite("Work that may hang in the kernel")
struct StallGuardTests {
  @Test("work that ends in time gives its result")
  func result() throws {
    let guarding = StallGuard(name: "reader", limitMilliseconds: 10_000)
    #expect(try guarding.perform { 6 * 7 } == 42)
    #expect(try guarding.perform { "again" } == "again")
    #expect(guarding.stalled == 0)
  }

  @Test("work that hangs is given up at the limit, and the next is done all the same")
  func hang() throws {
    let guarding = StallGuard(name: "reader", limitMilliseconds: 50)
    // A queue that nobody fills stands for storage that never answers.
    let dead = BoundedQueue<Int>(capacity: 1)
    let started = BootClock.now()
    #expect(try guarding.perform { dead.pop() } == nil)
    #expect(BootClock.now() - started >= 50_000_000)
    #expect(guarding.stalled == 1)
    #expect(try guarding.perform { 1 } == 1)
    dead.close()
  }
}
