import JSONText
import RenderModel
import SystemSupport

extension ManifestSource {
  /// Reads the whole manifest once and finds every problem in it; starts and changes nothing.
  ///
  /// `onBytes` is given the manifest's text in pieces, for its digest; nothing for a folder.
  package func check(onBytes: (([UInt8]) -> Void)? = nil) throws(ManifestError) -> ManifestCheck {
    let pass = CheckPass(self)
    rejections = Rejections()
    do {
      try forEachElement(onBytes: onBytes) { element in
        try pass.take(element)
        return true
      }
      try text?.bytes.checkUnchanged()
    } catch let error as ManifestError {
      throw error
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
    rejections = pass.rejections
    return pass.result
  }
}
