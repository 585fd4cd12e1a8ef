import RenderModel

/// Classifies a failure of the libraries: by the step it happened in, and within it by the text.
enum FailureText {
  private static let memory = [
    "out of memory", "unable to allocate", "cannot allocate", "insufficient memory",
    "memory allocation", "not enough memory", "failed to allocate",
  ]
  private static let truncation = [
    "premature end", "truncat", "end of file", "unexpected end", "end of data", "end of image",
    "not enough image data", "not enough compressed data", "read error", "unexpected eof",
    "reached end", "bytes, expected", "incomplete",
  ]
  /// What a decoder lacks, beside which a failed read is a mere consequence.
  private static let missing = ["is not implemented", "is not configured"]
  private static let unsupported = [
    "not supported", "unsupported", "unimplemented", "not a whole number of bytes",
  ]
  /// How messages of ours about sizes end that no limit would let pass.
  private static let beyondLimits = "pixels are more than any limit allows"
  private static let tooLarge = ["file too large", "exceeded max_file_size", "too large for"]

  static func isMemory(_ text: String) -> Bool { matches(text, memory) }

  /// A decoder's failure: memory, cut-off input, or else unreadable input.
  static func decoding(
    _ error: LibraryError, messages: [String], name: String, stage: RenderStage
  ) -> RenderFailure {
    let all = ([error.text] + messages).joined(separator: "\n")
    if error.text.hasSuffix(beyondLimits) {
      return RenderFailure(code: .limitExceeded, stage: stage, detail: error.text)
    }
    if isMemory(all) {
      return RenderFailure(code: .memory, stage: stage, detail: sentence(error, messages))
    }
    if matches(all, missing) {
      return unsupported(name, sentence(error, messages), stage)
    }
    if matches(all, truncation) {
      return RenderFailure(
        code: .truncated, stage: stage,
        detail: "\(name) that is cut off: \(sentence(error, messages))")
    }
    if matches(error.text, unsupported) {
      return unsupported(name, sentence(error, messages), stage)
    }
    return RenderFailure(
      code: .unreadable, stage: stage,
      detail: "\(name) that cannot be decoded: \(sentence(error, messages))")
  }

  private static func unsupported(
    _ name: String, _ reason: String, _ stage: RenderStage
  ) -> RenderFailure {
    RenderFailure(
      code: .unsupportedType, stage: stage,
      detail: "\(name) of a kind that is not rendered: \(reason)")
  }

  /// A container that ends before all that it announces.
  static func cutOff(name: String) -> RenderFailure {
    RenderFailure(
      code: .truncated, stage: .header,
      detail: "\(name) that is cut off: it ends before all that it announces")
  }

  /// A decoder that went on past damage.
  static func damaged(_ reason: String, name: String) -> RenderFailure {
    let isCut = matches(reason, truncation)
    return RenderFailure(
      code: isCut ? .truncated : .unreadable, stage: .decode,
      detail: "\(name) that is \(isCut ? "cut off" : "damaged"): \(DisplayText.escaped(reason))")
  }

  /// A failure of a filter or an encoder: memory, the output's size, or else our own fault.
  static func rendering(
    _ error: LibraryError, messages: [String], stage: RenderStage
  ) -> RenderFailure {
    if error.isOfAdjustment {
      return RenderFailure(code: .invalidAdjustment, stage: .filter, detail: error.text)
    }
    let text = sentence(error, messages)
    if isMemory(error.text) {
      return RenderFailure(code: .memory, stage: stage, detail: text)
    }
    if matches(error.text, tooLarge) {
      return RenderFailure(code: .outputTooLarge, stage: stage, detail: text)
    }
    return RenderFailure(code: .internal, stage: stage, detail: text)
  }

  private static func matches(_ text: String, _ patterns: [String]) -> Bool {
    let lower = text.lowercased()
    return patterns.contains { lower.contains($0) }
  }

  /// The line that says most, safe to show: the first that is not a mere consequence.
  private static func sentence(_ error: LibraryError, _ messages: [String]) -> String {
    let lines = ([error.text] + messages).flatMap { $0.split(separator: "\n") }
      .filter { !$0.isEmpty && !$0.hasPrefix("read gave ") }
    let telling = lines.first { !$0.contains("bad seek") && !$0.contains("error buffer") }
    var line = (telling ?? lines.first).map(String.init) ?? "the library gave no reason"
    for prefix in [
      "VipsJpeg: ", "tiff2vips: ", "vipspng: ", "heifload: ", "heif: ", "webp: ", "minilab: ",
    ]
    where line.hasPrefix(prefix) {
      line.removeFirst(prefix.count)
    }
    return DisplayText.escaped(line)
  }
}
