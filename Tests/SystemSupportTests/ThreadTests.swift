import Glibc
import SystemSupport
import Testing

@Suite struct ThreadTests {
  @Test("joining waits for the end, again and again")
  func join() {
    let queue = BoundedQueue<Int>(capacity: 1)
    let thread = Threads.start(name: "slow") {
      usleep(20_000)
      _ = queue.push(1)
    }
    thread.join()
    #expect(queue.count == 1)
    thread.join()
  }

  @Test("a thread has its name, cut to what the kernel keeps")
  func name() {
    let names = BoundedQueue<String>(capacity: 1)
    Threads.start(name: "render-observer-1") {
      let file = try? OwnedDescriptor.open(path: "/proc/thread-self/comm", flags: O_RDONLY)
      _ = names.push((try? file.map(text)) ?? "")
    }.join()
    #expect(names.pop() == "render-observer\n")
  }
}

@Suite struct BoundedQueueTests {
  @Test("elements come out in order, across the ring's end")
  func order() {
    let queue = BoundedQueue<Int>(capacity: 3)
    var taken: [Int?] = []
    for value in 0..<10 {
      #expect(queue.push(value))
      #expect(queue.push(value + 100))
      taken += [queue.pop(), queue.tryPop()]
    }
    #expect(taken == (0..<10).flatMap { [$0, $0 + 100] })
    #expect(queue.tryPop() == nil)
    #expect(queue.count == 0)
  }

  @Test("a full queue makes the producer wait", arguments: [0, 1, 4])
  func bounded(capacity: Int) {
    let queue = BoundedQueue<Int>(capacity: capacity)
    let producer = Threads.start(name: "producer") {
      for value in 0..<1000 { _ = queue.push(value) }
      queue.close()
    }
    var taken: [Int] = []
    while let value = queue.pop() {
      #expect(queue.count <= max(1, capacity))
      taken.append(value)
    }
    producer.join()
    #expect(taken == Array(0..<1000))
  }

  @Test("after closing, nothing goes in and what is in comes out")
  func close() {
    let queue = BoundedQueue<Int>(capacity: 4)
    _ = queue.push(1)
    _ = queue.push(2)
    queue.close()
    queue.close()
    #expect(!queue.push(3))
    #expect(queue.pop() == 1)
    #expect(queue.popAll(max: 9) == [2])
    #expect(queue.pop() == nil)
    #expect(queue.popAll(max: 9).isEmpty)
  }

  @Test("closing wakes everyone who waits")
  func closeWakes() {
    let empty = BoundedQueue<Int>(capacity: 1)
    let full = BoundedQueue<Int>(capacity: 1)
    _ = full.push(0)
    let answers = BoundedQueue<Bool>(capacity: 6)
    let threads = (0..<6).map { index in
      Threads.start(name: "waiter") {
        let isRefused =
          switch index % 3 {
          case 0: empty.pop() == nil
          case 1: empty.popAll(max: 3).isEmpty
          default: !full.push(1)
          }
        _ = answers.push(isRefused)
      }
    }
    usleep(20_000)
    #expect(answers.count == 0)
    empty.close()
    full.close()
    for thread in threads { thread.join() }
    #expect(answers.popAll(max: 6) == Array(repeating: true, count: 6))
  }

  @Test("popAll takes what is there, at most the maximum, and makes room for all it took")
  func popAll() {
    let queue = BoundedQueue<Int>(capacity: 5)
    for value in 0..<5 { _ = queue.push(value) }
    #expect(queue.popAll(max: 3) == [0, 1, 2])
    #expect(queue.popAll(max: 10) == [3, 4])
  }

  @Test("with patience popAll waits for company until there is enough of it")
  func popAllPatiently() {
    let queue = BoundedQueue<Int>(capacity: 5)
    let producer = Threads.start(name: "producer") {
      for value in 0..<3 {
        usleep(5_000)
        _ = queue.push(value)
      }
    }
    #expect(queue.popAll(max: 3, patience: 60_000_000_000) == [0, 1, 2])
    producer.join()
  }

  @Test("patience ends with its time, and at once when nothing more can come")
  func popAllImpatiently() {
    let queue = BoundedQueue<Int>(capacity: 5)
    _ = queue.push(1)
    #expect(queue.popAll(max: 3, patience: 1_000_000) == [1])
    _ = queue.push(2)
    queue.close()
    #expect(queue.popAll(max: 3, patience: 60_000_000_000) == [2])
    let full = BoundedQueue<Int>(capacity: 1)
    _ = full.push(3)
    #expect(full.popAll(max: 3, patience: 60_000_000_000) == [3])
  }

  @Test("several producers and consumers lose and double nothing")
  func contention() {
    let queue = BoundedQueue<Int>(capacity: 2)
    let results = BoundedQueue<[Int]>(capacity: 3)
    let producers = (0..<3).map { producer in
      Threads.start(name: "producer") {
        for value in 0..<500 { _ = queue.push(producer * 500 + value) }
      }
    }
    let consumers = (0..<3).map { index in
      Threads.start(name: "consumer") {
        var taken: [Int] = []
        while true {
          let values = index == 0 ? queue.popAll(max: 4) : queue.pop().map { [$0] } ?? []
          if values.isEmpty { break }
          taken += values
        }
        _ = results.push(taken)
      }
    }
    for thread in producers { thread.join() }
    queue.close()
    for thread in consumers { thread.join() }
    #expect(results.popAll(max: 3).flatMap(\.self).sorted() == Array(0..<1500))
  }

  @Test("elements that were never taken are released with the queue")
  func release() {
    final class Probe: Sendable {}
    weak var probe: Probe?
    do {
      let queue = BoundedQueue<Probe>(capacity: 2)
      let element = Probe()
      probe = element
      _ = queue.push(element)
    }
    #expect(probe == nil)
  }
}
