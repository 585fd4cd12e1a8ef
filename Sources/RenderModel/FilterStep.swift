/// One filter of a validated adjustment record, ready to travel to a worker.
///
/// The catalogue that gives names and parameters their meaning is elsewhere; here a step is only a
/// value, so that the protocol does not change when a filter is added.
package struct FilterStep: Hashable, Sendable, Parametrised {
  package enum Value: Hashable, Sendable {
    case number(Double)
    case text(String)
    case points([CurvePoint])
    case numbers([Double])
    /// A file that the filter reads; also its name among the plan's resources.
    case file(String)
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
  /// How much of the filter's result is taken, 0…1; the rest is what was there before.
  package var opacity: Double
  /// Where the filter acts; nil means everywhere.
  package var mask: FilterMask?

  package init(
    name: String, version: Int, parameters: [Parameter], opacity: Double = 1,
    mask: FilterMask? = nil
  ) {
    self.name = name
    self.version = version
    self.parameters = parameters
    self.opacity = opacity
    self.mask = mask
  }

  /// Every file that the step and its mask read, in order.
  package var files: [String] { Self.files(of: parameters) + (mask?.files ?? []) }

  static func files(of parameters: [Parameter]) -> [String] {
    parameters.compactMap { if case .file(let name) = $0.value { name } else { nil } }
  }
}

/// Where a filter acts, as a weight from 0 to 1 for each pixel.
package struct FilterMask: Hashable, Sendable, Parametrised {
  /// The mask's name in the catalogue.
  package var kind: String
  /// Every parameter of the kind, defaults filled in, in the catalogue's order.
  package var parameters: [FilterStep.Parameter]
  /// Whether 1 and 0 change places.
  package var isInverted: Bool
  /// What a combination is made of; empty for all other kinds.
  package var parts: [FilterMask]

  package init(
    kind: String, parameters: [FilterStep.Parameter], isInverted: Bool = false,
    parts: [FilterMask] = []
  ) {
    self.kind = kind
    self.parameters = parameters
    self.isInverted = isInverted
    self.parts = parts
  }

  package var files: [String] { FilterStep.files(of: parameters) + parts.flatMap(\.files) }
}

/// What has parameters by name.
package protocol Parametrised {
  var parameters: [FilterStep.Parameter] { get }
}

extension Parametrised {
  /// The parameter as a number; nil when it is absent or of another kind.
  package func number(_ name: String) -> Double? {
    guard case .number(let value) = value(name) else { return nil }
    return value
  }

  package func text(_ name: String) -> String? {
    guard case .text(let value) = value(name) else { return nil }
    return value
  }

  package func points(_ name: String) -> [FilterStep.CurvePoint]? {
    guard case .points(let value) = value(name) else { return nil }
    return value
  }

  package func numbers(_ name: String) -> [Double]? {
    guard case .numbers(let value) = value(name) else { return nil }
    return value
  }

  /// The name of the file among the plan's resources.
  package func file(_ name: String) -> String? {
    guard case .file(let value) = value(name) else { return nil }
    return value
  }

  private func value(_ name: String) -> FilterStep.Value? {
    parameters.first { $0.name == name }?.value
  }
}
