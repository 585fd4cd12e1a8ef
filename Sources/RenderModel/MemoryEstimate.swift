/// Provisional.
package enum MemoryEstimate {
  package static func bytes(header: AssetHeader, plan: RenderPlan) -> Int {
    (200 << 20) + header.width * header.height * 12
  }
}
