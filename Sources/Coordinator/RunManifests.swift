import Manifest
import RenderModel
import SystemSupport

/// The manifests of a run, opened and checked, or what keeps them from being carried out.
enum RunManifests {
  case valid([ManifestSlice])
  case invalid([ManifestProblem], more: Int)
  case refused(ExitStatus, String)

  static func open(
    _ configuration: RunConfiguration, options: ManifestOptions,
    isStopped: () -> Bool = { false }
  ) throws -> RunManifests {
    var manifests: [ManifestSlice] = []
    for path in configuration.manifestPaths {
      let slice = try ManifestSlice(path: path, options: options, configuration)
      guard slice.check.isValid else {
        return .invalid(slice.check.problems, more: slice.check.problemsOmitted)
      }
      if let words = slice.missingLibrary { return .refused(.manifestInvalid, words) }
      manifests.append(slice)
    }
    let clash = try ManifestClash.find(
      in: manifests, caseInsensitive: options.caseInsensitiveOutput, isStopped: isStopped)
    if let clash { return .refused(.manifestInvalid, clash) }
    return .valid(manifests)
  }
}

extension ManifestSlice {
  /// Words for a person when the library is not there or is empty, as an unmounted one is; else nil.
  ///
  /// A run would end with nothing but failures, and a selection with nothing at all.
  fileprivate var missingLibrary: String? {
    let place = "\(entry.path): the library \(DisplayText.escaped(source.libraryPath))"
    do {
      let library = try Directory(path: source.libraryPath)
      guard try planned > 0 && library.isEmpty() else { return nil }
    } catch {
      return "\(place) cannot be opened: \(error); is it mounted?"
    }
    return "\(place) is empty; is it mounted?"
  }
}
