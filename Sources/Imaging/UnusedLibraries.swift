/// Libraries that come with libvips and that no job may need: networks, cryptography, documents, text.
///
/// A process that is forked gets a copy of every mapping, and these are a quarter of them. They are also
/// code that a sealed process has no use for. Those in C++ are not among them: of the instances of a
/// template that several libraries have, all use the one that was loaded first. Nor is librsvg, which has
/// variables of threads: each new thread copies their first values out of the library.
package enum UnusedLibraries {
  /// Names of files without `.so`.
  package static let names = network + cryptography + science + drawing

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
    "libcairo", "libcairo-gobject", "libpango-1.0", "libpangocairo-1.0",
    "libpangoft2-1.0", "libpixman-1", "libfribidi", "libthai", "libdatrie", "libfontconfig",
    "libfreetype", "libgdk_pixbuf-2.0", "libgsf-1", "libxml2", "libicudata", "libX11", "libXau",
    "libXdmcp", "libXext", "libXrender", "libxcb", "libxcb-render", "libxcb-shm",
  ]
}
