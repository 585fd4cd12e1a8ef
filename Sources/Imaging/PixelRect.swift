/// Width and height in pixels.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var swapped: PixelSize { PixelSize(width: height, height: width) }
  package var pixels: Int { width * height }
  package var longestSide: Int { max(width, height) }
}

/// A part of a picture, from its top left corner, in whole pixels.
package struct PixelRect: Hashable, Sendable {
  package var left: Int
  package var top: Int
  package var width: Int
  package var height: Int

  package init(left: Int, top: Int, width: Int, height: Int) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  package var size: PixelSize { PixelSize(width: width, height: height) }
  package var right: Int { left + width }
  package var bottom: Int { top + height }

  package static func whole(_ size: PixelSize) -> PixelRect {
    PixelRect(left: 0, top: 0, width: size.width, height: size.height)
  }

  /// The part of that size in the middle, rounded towards the top left.
  package static func centred(_ size: PixelSize, in outer: PixelSize) -> PixelRect {
    PixelRect(
      left: (outer.width - size.width) / 2, top: (outer.height - size.height) / 2,
      width: size.width, height: size.height)
  }
}
