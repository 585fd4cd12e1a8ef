import Glibc

/// A stream of text that remembers when nobody can read it any more.
package final class TextStream {
  package enum State: Hashable, Sendable {
    case open
    /// The reader has gone, as `head` does; counts as success, and nothing more is written.
    case closedByReader
    /// Writing failed with this error number; nothing more is written.
    case failed(Int32)
  }

  package private(set) var state = State.open
  package let style: TextStyle
  /// Writes all of the bytes; gives back the error number, 0 for none.
  private let sink: ([UInt8]) -> Int32

  package init(style: TextStyle = .plain, sink: @escaping ([UInt8]) -> Int32) {
    self.style = style
    self.sink = sink
  }

  package func write(_ text: String) {
    guard state == .open, !text.isEmpty else { return }
    switch sink(Array(text.utf8)) {
    case 0: break
    case EPIPE: state = .closedByReader
    case let number: state = .failed(number)
    }
  }

  package func writeLine(_ line: String) { write(line + "\n") }
}

extension TextStream {
  /// A stream onto a descriptor that stays open as long as the process lives.
  package convenience init(descriptor: Int32, environment: [String: String]) {
    self.init(
      style: TextStyle(isTerminal: isatty(descriptor) == 1, environment: environment),
      sink: { Self.writeAll($0, to: descriptor) })
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    unsafe bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        if count >= 0 {
          offset += count
        } else if errno == EAGAIN {
          waitUntilWritable(descriptor)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  /// A terminal or pipe that another program made non-blocking is waited for, not given up.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }
}

/// Whether text is decorated for a terminal.
package enum TextStyle: Hashable, Sendable {
  case plain, coloured

  /// Colour is for terminals that know it, unless `NO_COLOR` is set to anything.
  package init(isTerminal: Bool, environment: [String: String]) {
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let isDumb = (environment["TERM"] ?? "dumb") == "dumb"
    self = isTerminal && !isRefused && !isDumb ? .coloured : .plain
  }

  package func heading(_ text: String) -> String { decorated(text, "1") }
  package func error(_ text: String) -> String { decorated(text, "1;31") }

  private func decorated(_ text: String, _ code: String) -> String {
    self == .plain ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
