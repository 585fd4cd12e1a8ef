/// One filter of a validated adjustment record, ready to travel to a worker.
///
/// The catalogue that gives names and parameters their meaning is elsewhere; here a step is only a
/// value, so that the protocol does not change when a filter is added.
package struct FilterStep: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case number(Double)
    case text(String)
    case points([CurvePoint])
  }

  package struct CurvePoint: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: Value
    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  package var name: String
  package var version: Int
  /// Every parameter of the filter, defaults filled in, in the catalogue's order.
  package var parameters: [Parameter]

  package init(name: String, version: Int, parameters: [Parameter]) {
    self.name = name
    self.version = version
    self.parameters = parameters
  }

  /// The parameter as a number; nil when it is absent or of another kind.
  package func number(_ name: String) -> Double? {
    guard case .number(let value) = value(name) else { return nil }
    return value
  }

  package func text(_ name: String) -> String? {
    guard case .text(let value) = value(name) else { return nil }
    return value
  }

  package func points(_ name: String) -> [CurvePoint]? {
    guard case .points(let value) = value(name) else { return nil }
    return value
  }

  private func value(_ name: String) -> Value? {
    parameters.first { $0.name == name }?.value
  }
}
