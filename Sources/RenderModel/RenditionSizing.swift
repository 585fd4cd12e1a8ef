/// How large a rendition becomes: the size to resample to, and the middle part of it that is kept.
package struct RenditionSizing: Hashable, Sendable {
  package struct Sides: Hashable, Sendable {
    package var width: Int
    package var height: Int
    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  package private(set) var resampled: Sides
  /// Equal to `resampled` unless the target is filled.
  package private(set) var final: Sides

  /// Sizes are as displayed; halves are rounded up and no side becomes less than 1.
  ///
  /// Without `enlarge` no side is resampled to more than it has: fit keeps the picture, fill shrinks
  /// its box evenly, exact shortens each side.
  package init(of picture: Sides, for rendition: Rendition) {
    let box = Sides(
      width: Self.usable(rendition.targetSize?.width),
      height: Self.usable(rendition.targetSize?.height))
    if box.width == 0 && box.height == 0 {
      self.init(picture)
    } else if rendition.contentMode == .aspectFit || box.width == 0 || box.height == 0 {
      self.init(Self.fit(picture, into: box, enlarge: rendition.enlarge))
    } else if rendition.contentMode == .exact {
      let largest = rendition.enlarge ? box : picture
      self.init(
        Sides(width: min(box.width, largest.width), height: min(box.height, largest.height)))
    } else {
      self.init(filling: box, with: picture, enlarge: rendition.enlarge)
    }
  }

  private init(_ size: Sides) {
    resampled = size
    final = size
  }

  private init(filling box: Sides, with picture: Sides, enlarge: Bool) {
    let widthDecides = box.width * picture.height >= box.height * picture.width
    let scale = widthDecides ? (box.width, picture.width) : (box.height, picture.height)
    if scale.0 > scale.1 && !enlarge {
      resampled = picture
      final = Sides(
        width: min(picture.width, Self.scaled(box.width, by: scale.1, over: scale.0)),
        height: min(picture.height, Self.scaled(box.height, by: scale.1, over: scale.0)))
    } else {
      resampled = Sides(
        width: max(box.width, Self.scaled(picture.width, by: scale.0, over: scale.1)),
        height: max(box.height, Self.scaled(picture.height, by: scale.0, over: scale.1)))
      final = box
    }
  }

  private static func fit(_ picture: Sides, into box: Sides, enlarge: Bool) -> Sides {
    let widthDecides =
      box.height == 0
      || (box.width != 0 && box.width * picture.height <= box.height * picture.width)
    let scale = widthDecides ? (box.width, picture.width) : (box.height, picture.height)
    if scale.0 >= scale.1 && !enlarge { return picture }
    return Sides(
      width: scaled(picture.width, by: scale.0, over: scale.1),
      height: scaled(picture.height, by: scale.0, over: scale.1))
  }

  private static func scaled(_ length: Int, by numerator: Int, over denominator: Int) -> Int {
    max(1, (2 * length * numerator + denominator) / (2 * denominator))
  }

  /// Bounded so that products of two lengths cannot overflow; nothing that long can be written.
  private static func usable(_ length: Int?) -> Int { min(max(length ?? 0, 0), 100_000_000) }
}
