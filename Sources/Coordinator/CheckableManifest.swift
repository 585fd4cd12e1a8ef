package import Manifest
import RenderModel
import Synchronization
package import WorkerPool

/// Manifests that may order by capture date: headers are read by workers, never by this program.
package enum CheckableManifest {
  /// Opens a manifest; headers are read only if one of its selections asks for them.
  package static func open(
    path: String, options: ManifestOptions, pool: PoolConfiguration, worker: WorkerSettings
  ) throws(ManifestError) -> ManifestSource {
    // The library is known only when the manifest has been opened.
    let library = SharedText()
    nonisolated(unsafe) let settings = worker
    var options = options
    options.captureDates = { paths in
      guard let libraryPath = library.value,
        let survey = try? HeaderSurvey(
          libraryPath: libraryPath, pool: pool, worker: unsafe settings),
        let dates = try? survey.captureDates(of: paths)
      else { return paths.map { _ in nil } }
      return dates
    }
    let source = try ManifestSource(path: path, options: options)
    library.set(source.libraryPath)
    return source
  }
}
