import Glibc

/// A first-in first-out queue between threads that holds at most so many elements.
@safe package final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  // Sendable because every access to the two variables is under the lock.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let hasElement = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let hasRoom = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var elements: RingBuffer<Element>
  private var isClosed = false

  /// A capacity below 1 counts as 1.
  package init(capacity: Int) {
    elements = RingBuffer(capacity: max(1, capacity))
    unsafe pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // Waits with an end must not change when somebody sets the clock.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(hasElement, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
    unsafe pthread_cond_init(hasRoom, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(hasRoom)
    unsafe pthread_cond_destroy(hasElement)
    unsafe pthread_mutex_destroy(lock)
    unsafe hasRoom.deallocate()
    unsafe hasElement.deallocate()
    unsafe lock.deallocate()
  }

  /// Waits for room; false when closed, and then the element isn't taken.
  package func push(_ element: Element) -> Bool {
    withLock {
      while elements.isFull && !isClosed { unsafe pthread_cond_wait(hasRoom, lock) }
      guard !isClosed else { return false }
      elements.append(element)
      unsafe pthread_cond_signal(hasElement)
      return true
    }
  }

  /// As `push`, but waits until so many places stay free for others.
  package func push(_ element: Element, leavingRoom room: Int) -> Bool {
    withLock {
      while elements.free <= room && !isClosed { unsafe pthread_cond_wait(hasRoom, lock) }
      guard !isClosed else { return false }
      elements.append(element)
      unsafe pthread_cond_signal(hasElement)
      return true
    }
  }

  /// Waits for an element; nil when closed and empty.
  package func pop() -> Element? {
    withLock {
      while elements.isEmpty && !isClosed { unsafe pthread_cond_wait(hasElement, lock) }
      return takeFirst()
    }
  }

  /// Waits for one element and takes all that are there up to `max`; empty when closed and drained.
  ///
  /// `patience`: nanoseconds in which more may come once the first is there, unless it is closed.
  package func popAll(max: Int, patience: UInt64 = 0) -> [Element] {
    withLock {
      while elements.isEmpty && !isClosed { unsafe pthread_cond_wait(hasElement, lock) }
      if patience > 0 { awaitMore(than: max, for: patience) }
      var result: [Element] = []
      while result.count < max, let element = takeFirst() { result.append(element) }
      return result
    }
  }

  /// Returns when so many are there, it is closed, or the time is over; the lock is held.
  private func awaitMore(than count: Int, for nanoseconds: UInt64) {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    let total = UInt64(end.tv_nsec) + nanoseconds
    end.tv_sec += Int(total / 1_000_000_000)
    end.tv_nsec = Int(total % 1_000_000_000)
    while elements.count < count && !elements.isFull && !isClosed {
      if unsafe pthread_cond_timedwait(hasElement, lock, &end) == ETIMEDOUT { return }
    }
  }

  /// The first element, nil when there is none now.
  package func tryPop() -> Element? {
    withLock { takeFirst() }
  }

  /// Refuses further elements and wakes everyone who waits; what is in stays to be taken.
  package func close() {
    withLock {
      isClosed = true
      unsafe pthread_cond_broadcast(hasElement)
      unsafe pthread_cond_broadcast(hasRoom)
    }
  }

  package var count: Int { withLock { elements.count } }

  /// Whether nothing is in it and nothing can come.
  package var isDrained: Bool { withLock { isClosed && elements.isEmpty } }

  private func takeFirst() -> Element? {
    guard let element = elements.popFirst() else { return nil }
    // All: they may wait for different amounts of room.
    unsafe pthread_cond_broadcast(hasRoom)
    return element
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body()
  }
}

/// A fixed number of places, used in turn.
private struct RingBuffer<Element> {
  private var places: [Element?]
  private var first = 0
  private(set) var count = 0

  init(capacity: Int) {
    places = Array(repeating: nil, count: capacity)
  }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == places.count }
  var free: Int { places.count - count }

  mutating func append(_ element: Element) {
    places[(first + count) % places.count] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard let element = places[first], count > 0 else { return nil }
    places[first] = nil
    first = (first + 1) % places.count
    count -= 1
    return element
  }
}
