import Ledger
import RenderModel
import Synchronization
import SystemSupport

/// Digests of the originals that were read in this run, each for as long as its file stays the same.
///
/// Jobs over one asset often stand close together, or in the same order in several manifests: what was
/// not asked for lately is forgotten first.
final class SourceDigests: Sendable {
  private struct Key: Hashable {
    var device: UInt64
    var identity: FileIdentity
  }

  private struct State {
    var recent: [Key: String] = [:]
    var earlier: [Key: String] = [:]
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// At most twice the capacity is kept, about 200 bytes each.
  init(capacity: Int = 16_384) {
    self.capacity = max(1, capacity)
  }

  /// nil when no such file was read, or its times have changed since.
  func digest(of file: OriginalReader.OpenedFile) -> String? {
    let key = Key(device: file.status.device, identity: file.status.identity)
    return state.withLock { state in
      if let known = state.recent[key] { return known }
      guard let known = state.earlier[key] else { return nil }
      keep(known, key, &state)
      return known
    }
  }

  /// A file that was touched when it was opened may change once more and look the same: it is not kept.
  func keep(_ sha256: String, of file: OriginalReader.OpenedFile) {
    let identity = file.status.identity
    guard identity.isSettled(at: file.opened) else { return }
    state.withLock { keep(sha256, Key(device: file.status.device, identity: identity), &$0) }
  }

  private func keep(_ sha256: String, _ key: Key, _ state: inout State) {
    if state.recent.count >= capacity {
      state.earlier = state.recent
      state.recent = [:]
    }
    state.recent[key] = sha256
  }
}
