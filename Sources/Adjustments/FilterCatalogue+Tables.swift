extension FilterCatalogue {
  static let tables = [
    FilterDescription(
      "lut3d", .point, summary: "Looks colours up in the table of a LUT file.",
      parameters: [
        ParameterDescription(
          "path", .file,
          "a .cube file of Adobe's or Resolve's dialect, 1D, 3D or both, or a HaldCLUT of level 2 to "
            + "16 as PNG or TIFF of 8 or 16 bits"),
        ParameterDescription(
          "strength", .number(0...1, default: 1), "the share of what the table says"),
        ParameterDescription(
          "colorSpace",
          .choice(
            [
              "sRGB", "displayP3", "adobeRGB", "rec709", "rec2020", "proPhotoRGB", "linearSRGB",
              "linearRec2020",
            ], default: "sRGB"),
          "the space that the table was made in, which no file says"),
      ],
      identity: "strength 0, or a table that gives every colour back",
      formula:
        "e′ = e + strength · (T(e) − e), e encoded by the curve of colorSpace on its primaries, "
        + "e′ decoded likewise. T moves e to the nearest value of the table's domain, channel by "
        + "channel, and interpolates: a 3D table in the tetrahedron of the four points around e, a 1D "
        + "table on the straight line between two samples; the 1D table comes first where a file "
        + "holds both. Results are not clamped. rec709 and rec2020 have the camera curve of BT.709 "
        + "(α = 1.0993), the linear spaces none. A HaldCLUT is read as numbers: its profile, gamma and "
        + "alpha are ignored, and grey stands for three equal channels",
      source:
        "J. M. Kasson et al., Performing color space conversions with three-dimensional linear "
        + "interpolation, 1995; Adobe, Cube LUT Specification 1.0; ITU-R BT.709, BT.2020; "
        + "Adobe RGB (1998); ISO 22028-2 (ProPhoto RGB)")
  ]
}
