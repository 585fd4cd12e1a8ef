import RenderModel

/// One drawing of 64 x 48 pixels, red 60 + 2x, green 60 + 3y and blue 128, as encoders coded it that are
/// not part of the tests: `scripts/coded-pictures/pictures.c`, with libjxl and with x265 through libheif, and
/// `cjpeg -arithmetic -quality 75` of libjpeg-turbo.
enum CodedDrawing {
  static let width = 64
  static let height = 48

  /// The decoder's configuration and the data of a HEVC picture of 64 x 64, whose lower part is filling.
  static let hevcConfiguration = bytes(
    """
    AAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpC
    AQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQ==
    """)
  static let hevcData = bytes(
    """
    AAABwCgBrwW45+USg//Xc17K9Hvve38VvLZg9JBnIL4bPEKHCYooO5oyRFRQHL3/zGjL49uz6s7y6fYWug3suQvu
    CgAtGKRjcI5VM6BslWwfz4OADxrPIjcuvzI9Oa0nwnI2pZWfb4dOPW/Ig7Q5BlNYJnVNAXaz4lOkzymfxvrVujHi
    FgHr8F2On1vqXrtK1YLn2Qk6sCPZiJzLMiIjjzg4geBI2yBafJqnruJ9MhDw1oCHQ5aJ+6Kli99F65GbpnmncjUI
    DNrShtj6lyy1CiZ5HdyIbn+lwXbFyf3dPuN3Xxxl1D2Zh/Xzn1dJzLECdWvCMnJkeC4BG0SvLT3fZ+bDyaB/KVUX
    w/4bFgLgXVc1utVI5bbua8xTuBoqEf7JjVUTy4MBGokT0ZBe2uJPLkbzWl6SSKtDRGQg3RUFT1d4F9f8X9Y9YvEZ
    fWnDXKsO9fDsh2T+FMtixeaDRAcUTVFsjILyoZEC0OFyT2Mfzdtb2TLzHqrjuGiUh5B5rsL5tT81lN249OMYlGzj
    LkHE3IBgNfUQmsBali4gA8G+hsp6xVvcLbaqPxryT0p9bmHTZXk76o0oNxe4dLZMmv6IhPuqX+A=
    """)

  /// An AVIF of 10 bits that is black on the left and white on the right, 32 x 16, as green, blue and red
  /// in the range of video: `avifenc --min 0 --max 0 -d 10 -r limited -y 444 --cicp 12/13/0`.
  static let narrowAVIF = bytes(
    """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAA
    AAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAADQAAAAoaWluZgAA
    AAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAACAAAAAQAAAA
    EHBpeGkAAAAAAwoKCgAAAAxhdjFDgSBAAAAAABNjb2xybmNseAAMAA0AAAAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAA
    ADxtZGF0EgAKCDgQ/+zhgaACMiYQAACpKO8tUnl+PSHLDCspMq6160UudqVDJotuGhb7R5uZ/xOgeA==
    """)

  /// Lossless JPEG XL codestreams that say each of the eight orientations.
  static func jpegXL(_ orientation: Int) -> [UInt8] {
    bytes(codestreams[orientation - 1])
  }

  /// A JPEG that is coded arithmetically, and the same with `-progressive`.
  static let arithmeticJPEG = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwc
    KDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy
    MjIyMjIyMjIyMjIyMjIyMjIyMjL/yQARCAAwAEADASIAAhEBAxEB/8wACgAQEAUBEBEF/9oADAMBAAIRAxEAPwD/AKAN
    7RquncD8O++EWA2knh+3a6xNR9TB+DbtehWD4+qc02lHB7U4J8VoAuPu5eTAYo+bxR6PGMV2xThNildbtq0kywWFfkdK
    EzPdhLcBr/DHQIkuB1twM9DtSNnOm9vMhwWf1xU5ub9baRhMvVxnbJmyQP/Z
    """)
  static let progressiveArithmeticJPEG = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwc
    KDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy
    MjIyMjIyMjIyMjIyMjIyMjIyMjL/ygARCAAwAEADASIAAhEBAxEB/8wABgAQARD/2gAMAwEAAhADEAAAAf8AQBMGV6cO
    VlohhTmaPdM4v3a7STpYG+BlL7K7EO0EnssNGhKxramJD0sGs//MAAQQBf/aAAgBAQABBQKWEwQZ44kSpSlKUqD/zAAE
    EQX/2gAIAQMBAT8BHlW4KjEaBN12fsPz/8wABBEF/9oACAECAQE/AY0WCcLCWeD/zAAEEAX/2gAIAQEABj8CqP/MAAQQ
    Bf/aAAgBAQABPyHfU4jWSSSSSSSS/9oADAMBAAIAAwAAABBGX6UwAMEos2H/zAAEEQX/2gAIAQMBAT8Q/8wABBEF/9oA
    CAECAQE/ELXjoP/MAAQQBf/aAAgBAQABPxADTCyYIKXPsjDxOHfrp3AQ/9k=
    """)

  /// A lossless JPEG XL animation: the drawing, shown for no time, with a white square of 8 x 8 at its
  /// origin, and then all of it reversed.
  static let animatedJPEGXL = bytes(
    """
    /wrLBE0AICYIAggAAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAAgiAACAAAJZ
    IAAAVABLGIsVwklBXiACgP4AAAAAAAAAAAAIAhYEANwBSyiiuuXUOVi/3uC3QUooKFwqPFJQUFDyB6CgEGH+xBi/AgUa
    o2KI48WLMTj3fyMAQEAIYADQHoDFBcCuiwV0KAJuS4B/bZPjztcYeApyCnIKcgpyCnIKcgpyCnIKcgpyCnIKcgoyCtK+
    KCHgwkH80D8kXW6SaBg=
    """)

  private static let codestreams = [
    """
    /wrLQCQIAgEAzAFLKKK6Rfo5WA+ug98UbhQUFI5PQUFJBqCgEKG+2xhj/N0VQIACalQMGxsBAAJCAAOA9gLHxB/w
    wD4AcVw/GCAa9i/Zq/inSeZ1u6IoT2Z7Q6ioVEYAy62ogzdavjD1hvtcIriELDYAcF4FEPoXC4EuRCMA
    """,
    """
    /wrLDBATCAIBAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAA==
    """,
    """
    /wrLFBATCAIBAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAA==
    """,
    """
    /wrLHBATCAIBAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAA==
    """,
    """
    /wrLJBATCAIBAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAA==
    """,
    """
    /wrLLBATCAIBAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAA==
    """,
    """
    /wrLNBATCAIBAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAA==
    """,
    """
    /wrLPBATCAIBAMwBSyiiukX6OVgProPfFG4UFBSOT0FBSQagoBChvtsYY/zdFUCAAmpUDBsbAQACQgADgPYCx8Qf
    8MA+AHFcPxggGvYv2av4p0nmdbuiKE9me0OoqFRGAMutqIM3Wr4w9Yb7XCK4hCw2AHBeBRD6FwuBLkQjAA==
    """,
  ]

  /// Base64; spaces and line ends are passed over.
  private static func bytes(_ text: String) -> [UInt8] {
    Base64.decode(String(text.filter { !$0.isWhitespace })) ?? []
  }
}
