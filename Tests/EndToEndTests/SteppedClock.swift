import Glibc
import SystemSupport

/// A wall clock that a test sets while programs run: the time of day and the times of files, as
/// `minilab` sees them.
///
/// The machine's own clock is everybody's. So a small library, compiled when a test needs it, is
/// loaded before the C library by the environment of the programs that the test starts.
final class SteppedClock {
  private let folder: TemporaryFolder
  private let steps: OwnedDescriptor
  private var count: Int64 = 0

  static let isPossible = library != nil

  init() throws {
    folder = try TemporaryFolder()
    steps = try folder.directory.openBeneath(
      Array("steps".utf8), flags: O_RDWR | O_CREAT, mode: 0o644)
    try FileTransfer.allocate(steps, bytes: 4096)
  }

  var environment: [String] {
    ["LD_PRELOAD=\(Self.library?.path ?? "")/clock.so", "STEPPED_CLOCK=\(folder.path)/steps"]
  }

  /// From now on the clock is so many seconds away from the true time; negative is in the past.
  func set(secondsFromTrueTime offset: Int64) throws {
    try put([WallClock.now(), offset * 1_000_000_000], at: 8 + 16 * count)
    count += 1
    try put([count], at: 0)
  }

  private func put(_ numbers: [Int64], at place: Int64) throws {
    lseek(steps.rawValue, off_t(place), SEEK_SET)
    try FileTransfer.writeAll(
      steps,
      numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } })
  }

  /// The folder of the compiled library, kept for all tests of the process.
  private static let library: TemporaryFolder? = {
    guard let compiler = SystemProgram.find("cc") ?? SystemProgram.find("clang"),
      let folder = try? TemporaryFolder(),
      (try? folder.write("clock.c", source)) != nil,
      let run = try? RunningProgram(
        compiler,
        ["-shared", "-fPIC", "-O1", "-o", folder.path + "/clock.so", folder.path + "/clock.c"])
    else { return nil }
    return (try? run.wait(seconds: 60))?.exitStatus == 0 ? folder : nil
  }()

  /// What was stamped before a step keeps the time that it had then, as on a disk.
  private static let source = """
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>

    static const volatile int64_t *steps;

    __attribute__((constructor)) static void open_steps(void) {
      const char *path = getenv("STEPPED_CLOCK");
      int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
      if (file < 0) return;
      void *map = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
      if (map != MAP_FAILED) steps = map;
      close(file);
    }

    static void shift(struct timespec *time) {
      if (!steps) return;
      int64_t now = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec, offset = 0;
      for (int64_t i = 0, n = steps[0]; i < n; i++)
        if (now >= steps[1 + 2 * i]) offset = steps[2 + 2 * i];
      time->tv_sec += offset / 1000000000;
    }

    int clock_gettime(clockid_t clock, struct timespec *time) {
      int result = syscall(SYS_clock_gettime, clock, time);
      if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) shift(time);
      return result;
    }

    int gettimeofday(struct timeval *restrict time, void *restrict zone) {
      struct timespec now;
      (void)zone;
      if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
      time->tv_sec = now.tv_sec;
      time->tv_usec = now.tv_nsec / 1000;
      return 0;
    }

    time_t time(time_t *result) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      if (result) *result = now.tv_sec;
      return now.tv_sec;
    }

    int fstat(int file, struct stat *status) {
      int result = syscall(SYS_newfstatat, file, "", status, AT_EMPTY_PATH);
      if (result == 0) {
        shift(&status->st_mtim);
        shift(&status->st_ctim);
      }
      return result;
    }
    """
}
