import SystemSupport

/// The descriptors of one job process, in the order in which they travel.
struct JobDescriptors {
  /// Job socket, original, standard error.
  static let fixedCount = 3

  let socket: OwnedDescriptor
  let original: OwnedDescriptor
  let standardError: OwnedDescriptor
  let outputs: [OwnedDescriptor]

  /// The list must hold at least `fixedCount` descriptors.
  init(_ list: [OwnedDescriptor]) {
    socket = list[0]
    original = list[1]
    standardError = list[2]
    outputs = Array(list[Self.fixedCount...])
  }

  /// What stays open in the job process.
  var kept: [Int32] {
    [0, 1, 2, socket.rawValue, original.rawValue] + outputs.map(\.rawValue)
  }
}
