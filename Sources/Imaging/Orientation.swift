package import ColourEngine

/// The eight ways a picture can lie, numbered as in EXIF: what turns the stored frame into the displayed.
package struct Orientation: Hashable, Sendable {
  /// 1…8.
  package let number: Int

  package static let upright = Orientation(number: 1)
  package static let all = (1...8).map(Orientation.init(number:))

  private init(number: Int) { self.number = number }

  /// nil for a number outside 1…8.
  package init?(_ number: Int) {
    guard (1...8).contains(number) else { return nil }
    self.number = number
  }

  package var swapsSides: Bool { number >= 5 }
  /// Whether left and right are exchanged, so that clockwise becomes anticlockwise.
  package var mirrors: Bool { [2, 4, 5, 7].contains(number) }

  /// Where the stored axes point in the displayed frame: rows of a matrix.
  private var axes: [Int] {
    switch number {
    case 2: [-1, 0, 0, 1]
    case 3: [-1, 0, 0, -1]
    case 4: [1, 0, 0, -1]
    case 5: [0, 1, 1, 0]
    case 6: [0, -1, 1, 0]
    case 7: [0, -1, -1, 0]
    case 8: [0, 1, -1, 0]
    default: [1, 0, 0, 1]
    }
  }

  /// From fractions of the stored frame to fractions of the displayed one.
  package var displayedFractions: Matrix3 {
    let axes = axes.map(Double.init)
    // Where an axis points backwards, it begins at the far end.
    let starts = [max(0, -(axes[0] + axes[1])), max(0, -(axes[2] + axes[3]))]
    return Matrix3([axes[0], axes[1], starts[0]], [axes[2], axes[3], starts[1]], [0, 0, 1])
  }

  /// This orientation first, then the other.
  package func then(_ other: Orientation) -> Orientation {
    let first = axes
    let second = other.axes
    let product = [
      second[0] * first[0] + second[1] * first[2], second[0] * first[1] + second[1] * first[3],
      second[2] * first[0] + second[3] * first[2], second[2] * first[1] + second[3] * first[3],
    ]
    return Self.all.first { $0.axes == product } ?? .upright
  }

  package func displayed(_ stored: PixelSize) -> PixelSize { swapsSides ? stored.swapped : stored }

  /// The part of the stored frame that is shown in a part of the displayed one.
  package func stored(_ rect: PixelRect, of size: PixelSize) -> PixelRect {
    let fromRight = size.width - (swapsSides ? rect.bottom : rect.right)
    let fromBottom = size.height - (swapsSides ? rect.right : rect.bottom)
    let left: Int
    let top: Int
    switch number {
    case 2: (left, top) = (fromRight, rect.top)
    case 3: (left, top) = (fromRight, fromBottom)
    case 4: (left, top) = (rect.left, fromBottom)
    case 5: (left, top) = (rect.top, rect.left)
    case 6: (left, top) = (rect.top, fromBottom)
    case 7: (left, top) = (fromRight, fromBottom)
    case 8: (left, top) = (fromRight, rect.left)
    default: (left, top) = (rect.left, rect.top)
    }
    let part = swapsSides ? rect.size.swapped : rect.size
    return PixelRect(left: left, top: top, width: part.width, height: part.height)
  }
}
