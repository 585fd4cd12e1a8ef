import CImagingShim
import ColourEngine
import Glibc
package import RenderModel

extension OpenedPicture {
  /// Renders all renditions of a plan from one decode.
  ///
  /// `resources`: one descriptor for each of the plan's, in order, open for reading; the caller's.
  /// `outputs`: one descriptor a rendition, in order, open for reading and writing; what is
  ///   in them is replaced. They stay the caller's. After a failure their bytes mean nothing.
  package func render(
    _ plan: RenderPlan, outputs: [Int32], resources: [Int32] = []
  ) -> Result<RenderResult, RenderFailure> {
    guard resources.count == plan.resources.count else {
      return .failure(
        RenderFailure(
          code: .internal, stage: .filter,
          detail: "\(resources.count) files were given for \(plan.resources.count) of the filters"))
    }
    guard outputs.count == plan.renditions.count else {
      return .failure(
        RenderFailure(
          code: .internal, stage: .encode,
          detail: "\(outputs.count) outputs were given for \(plan.renditions.count) renditions"))
    }
    minilab_set_concurrency(Int32(clamping: max(1, plan.threads)))
    let files: FilterResources
    let overlays: [String: OverlayPicture]
    let profiles: [String: [UInt8]]
    do throws(RenderFailure) {
      files = try ResourceFiles.read(plan, resources)
      overlays = try OverlayFiles.read(plan, resources)
      profiles = try ProfileFiles.read(plan, resources)
    } catch {
      return .failure(error)
    }
    do throws(RenderFailure) {
      var result = try attempt(
        plan, outputs, files, overlays, profiles, isStrict: damage.isEmpty)
      result.damage = damage
      return .success(result)
    } catch {
      let isDamage = error.code == .truncated || error.code == .unreadable
      guard plan.tolerant, damage.isEmpty, isDamage, error.stage == .decode else {
        return .failure(error)
      }
      let damage = error.detail
      return Result { () throws(RenderFailure) in
        var result = try attempt(plan, outputs, files, overlays, profiles, isStrict: false)
        result.damage = [damage]
        return result
      }
    }
  }

  private func attempt(
    _ plan: RenderPlan, _ outputs: [Int32], _ resources: FilterResources,
    _ overlays: [String: OverlayPicture], _ profiles: [String: [UInt8]], isStrict: Bool
  ) throws(RenderFailure) -> RenderResult {
    let reduction = decoderReduction(plan)
    let geometry = try RenderGeometry(
      stored: PixelSize(width: header.width, height: header.height),
      orientation: Orientation(header.orientation) ?? .upright, filters: plan.filters,
      renditions: plan.renditions, limits: plan.limits, reduction: reduction)
    for (output, rendition) in zip(geometry.outputs, plan.renditions) {
      try EncoderSettings.refuseIfMissing(rendition)
      try refuseIfTooLarge(output, rendition, plan.limits)
    }
    let isDeep = plan.renditions.contains { $0.depth > 8 }
    let context = StageContext(
      reduction: reduction, resources: resources, precision: isDeep ? .full : .eightBits,
      overlays: overlays)
    try context.refuseInvalid(geometry.stages)
    let colours = try plan.renditions.map { rendition throws(RenderFailure) in
      try OutputColour(
        rendition, from: colour, sourceBits: header.bitDepth,
        given: rendition.profile.flatMap { profiles[$0] })
    }
    LibraryMessages.clear()
    setBufferRows(inOrder: !geometry.needsRandomAccess && plan.threads <= 1)
    let tap = DecodeTap()
    var work = RenderWork(
      picture: self, geometry: geometry,
      context: context,
      renditions: plan.renditions, colours: colours, descriptors: outputs, isStrict: isStrict)
    // All images are gone when this returns, so the decoder has said all it has to say.
    var result = try work.run(tap)
    try refuseDamage(isStrict)
    result.stageTimes.header = headerMilliseconds
    result.notes = unique(notes + result.notes)
    if reduction > 1 { work.losses.add(.fullResolutionFiltering) }
    var all = losses
    all.add(work.losses)
    result.losses = all.names
    result.lossNotes = all.notes
    return result
  }

  /// Small buffers for rows that are asked for from top to bottom, since every job touches memory that
  /// the kernel has to clear for it first; the library's own sizes where tiles or threads take turns.
  private func setBufferRows(inOrder: Bool) {
    if inOrder {
      ImagingRuntime.setBufferRows(tile: 16, strip: 8)
    } else {
      ImagingRuntime.setBufferRows(tile: 128, strip: 16)
    }
  }

  /// Fails when a decoder that is gone has gone on past damage.
  func refuseDamage(_ isStrict: Bool) throws(RenderFailure) {
    guard isStrict, let structure,
      let found = JPEGDamage.find(in: LibraryMessages.all, structure: structure)
    else { return }
    throw FailureText.damaged(found, name: content.name)
  }

  /// What the decoder may divide the sides by: so much that twice the target is left.
  private func decoderReduction(_ plan: RenderPlan) -> Int {
    guard content.type == .jpeg, plan.renditions.allSatisfy({ $0.deliveryMode == .fast }),
      let geometry = try? RenderGeometry(
        stored: PixelSize(width: header.width, height: header.height),
        orientation: Orientation(header.orientation) ?? .upright, filters: plan.filters,
        renditions: plan.renditions, limits: plan.limits)
    else { return 1 }
    return [8, 4, 2].first { factor in
      geometry.outputs.allSatisfy {
        $0.resampled.width * 2 * factor <= geometry.size.width
          && $0.resampled.height * 2 * factor <= geometry.size.height
      }
    } ?? 1
  }

  private func refuseIfTooLarge(
    _ output: RenderGeometry.Output, _ rendition: Rendition, _ limits: RenderLimits
  ) throws(RenderFailure) {
    let size = output.final
    let shown = "\(size.width) x \(size.height)"
    guard let longest = rendition.type.longestSide else {
      throw RenderFailure(
        code: .invalidJob, stage: .encode, detail: "\(rendition.type.rawValue) cannot be written")
    }
    if size.longestSide > longest {
      let others = UniformType.writable(sides: size.longestSide)
      let names = others.map(\.rawValue).joined(separator: ", ")
      throw RenderFailure(
        code: .limitExceeded, stage: .encode,
        detail: "the rendition \(rendition.name) would be \(shown), and \(rendition.type.rawValue) "
          + "holds sides up to \(longest) pixels"
          + (names.isEmpty ? "" : "; these hold it: \(names)"))
    }
    if size.pixels > max(limits.pixels, header.width * header.height) {
      throw RenderFailure(
        code: .limitExceeded, stage: .encode,
        detail:
          "the rendition \(rendition.name) would be \(shown), which is more than the limit of "
          + "\(limits.pixels) pixels (limits.pixels)")
    }
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
