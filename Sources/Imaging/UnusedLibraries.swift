/// Libraries that come with libvips and that no job may need: networks, cryptography, documents, text.
///
/// A process that is forked gets a copy of every mapping, and some seventy libraries with five mappings
/// each are half of what a fork costs. They are also code that a sealed process has no use for.
enum UnusedLibraries {
  /// Names of files without `.so`; what is not there is passed over.
  static let names = network + cryptography + science + drawing

  private static let network = [
    "libcurl", "libcurl-gnutls", "libnghttp2", "librtmp", "libssh2", "libpsl", "libldap-2.5",
    "liblber-2.5", "libsasl2", "libidn2", "libresolv",
  ]
  private static let cryptography = [
    "libgnutls", "libp11-kit", "libtasn1", "libnettle", "libhogweed", "libgmp", "libunistring",
    "libssl", "libkrb5", "libk5crypto", "libkrb5support", "libgssapi_krb5",
    "libcom_err", "libkeyutils",
  ]
  private static let science = [
    "libcfitsio", "libhdf5_serial", "libmatio", "libsz", "libaec", "libfftw3",
  ]
  private static let drawing = [
    "librsvg-2", "libcairo", "libcairo-gobject", "libpango-1.0", "libpangocairo-1.0",
    "libpangoft2-1.0", "libpixman-1", "libfribidi", "libthai", "libdatrie", "libfontconfig",
    "libfreetype", "libgdk_pixbuf-2.0", "libgsf-1", "libxml2", "libicudata", "libX11", "libXau",
    "libXdmcp", "libXext", "libXrender", "libxcb", "libxcb-render", "libxcb-shm",
  ]
}
