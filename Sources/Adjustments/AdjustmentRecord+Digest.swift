package import Digest
import JSONText
package import RenderModel

extension AdjustmentRecord {
  /// SHA-256 of what the record says: canonical JSON of a native record's data, else its bytes.
  ///
  /// Native data that is not JSON counts byte for byte.
  package var digest: SHA256Value {
    guard formatIdentifier == Self.nativeIdentifier, let document = try? JSONParser.parse(data)
    else { return SHA256Value.of(data) }
    return SHA256Value.of(CanonicalJSON.encode(document.value))
  }
}
