import Synchronization
package import SystemSupport

/// Where other threads leave what the pool's thread takes: requests, publications, stops.
package final class PoolInbox: Sendable {
  package enum Stop: Sendable { case drain, now }

  private struct State {
    var published: [UInt64] = []
    var stop: Stop?
  }

  let wake: WakeDescriptor
  private let requests: BoundedQueue<PoolRequest>
  private let state = Mutex(State())

  /// `capacity`: requests that may wait before `submit` blocks.
  package init(capacity: Int) throws(SystemError) {
    wake = try WakeDescriptor()
    requests = BoundedQueue(capacity: capacity)
  }

  /// Hands a job over; blocks while the pool has enough. False: the pool takes no more.
  package func submit(_ request: PoolRequest) -> Bool {
    let taken = requests.push(request)
    wake.wake()
    return taken
  }

  /// No more jobs will come.
  package func close() {
    requests.close()
    wake.wake()
  }

  /// The outputs of a rendered job need no more room.
  package func published(_ token: UInt64) {
    state.withLock { $0.published.append(token) }
    wake.wake()
  }

  package func stop(_ stop: Stop) {
    state.withLock { $0.stop = stop }
    wake.wake()
  }

  /// Whether no request is left and none will come.
  var isDone: Bool { requests.isDrained }

  /// From now on `submit` answers false; what is queued already is still taken.
  func refuseMore() { requests.close() }

  func takeRequest() -> PoolRequest? { requests.tryPop() }

  func takePublished() -> [UInt64] {
    state.withLock { state in
      defer { state.published = [] }
      return state.published
    }
  }

  func takeStop() -> Stop? {
    state.withLock { state in
      defer { state.stop = nil }
      return state.stop
    }
  }
}
