import SystemSupport

/// The descriptors of one job process, in the order in which they travel.
struct JobDescriptors {
  /// Job socket, original, standard error.
  static let fixedCount = 3

  let socket: OwnedDescriptor
  let original: OwnedDescriptor
  let standardError: OwnedDescriptor
  /// The files of the filters, in the order of the plan.
  let resources: [OwnedDescriptor]
  let outputs: [OwnedDescriptor]

  /// nil when the list is shorter than it has to be.
  init?(_ list: [OwnedDescriptor], resourceCount: UInt32) {
    let outputStart = Self.fixedCount + Int(resourceCount)
    guard list.count >= outputStart else { return nil }
    socket = list[0]
    original = list[1]
    standardError = list[2]
    resources = Array(list[Self.fixedCount..<outputStart])
    outputs = Array(list[outputStart...])
  }

  /// What stays open in the job process.
  var kept: [Int32] {
    [0, 1, 2, socket.rawValue, original.rawValue] + resources.map(\.rawValue)
      + outputs.map(\.rawValue)
  }
}
