import Glibc
import SystemSupport
import Testing

@Suite struct HostResourcesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A machine whose kernel shows these files.
  private func host(
    membership: String, mounts: [String], _ files: [String: String] = [:], affinity: Int = 64
  ) throws -> HostResources {
    try folder.write("proc/self/cgroup", membership)
    try folder.write("proc/self/mountinfo", mounts.joined(separator: "\n") + "\n")
    for (path, content) in files { try folder.write("sys/fs/cgroup/\(path)", content + "\n") }
    return HostResources.detect(root: folder.path, affinity: affinity)
  }

  private let unified = "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw"
  private let cpu = "40 31 0:33 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct"
  private let memory =
    "41 31 0:34 / /sys/fs/cgroup/memory rw shared:4 master:2 - cgroup cgroup rw,memory"

  @Test("version 2: the process's own group limits it")
  func version2() throws {
    let host = try host(
      membership: "0::/batch/night\n", mounts: [unified],
      ["batch/night/cpu.max": "250000 100000", "batch/night/memory.max": "1073741824"])
    #expect(host.quota == 2.5)
    #expect(host.cpus == 2)
    #expect(host.memoryLimit == 1 << 30)
  }

  @Test("version 2: a parent that is tighter counts, also the outermost")
  func version2Parent() throws {
    let host = try host(
      membership: "0::/batch/night\n", mounts: [unified],
      [
        "batch/night/cpu.max": "800000 100000", "batch/cpu.max": "300000 100000",
        "cpu.max": "400000 100000",
        "batch/night/memory.max": "max", "batch/memory.max": "5000000", "memory.max": "4000000",
      ])
    #expect(host.quota == 3)
    #expect(host.memoryLimit == 4_000_000)
  }

  @Test("version 2: max is no limit")
  func version2Max() throws {
    let host = try host(
      membership: "0::/a\n", mounts: [unified], ["a/cpu.max": "max 100000", "a/memory.max": "max"],
      affinity: 6)
    #expect(host.quota == nil)
    #expect(host.memoryLimit == nil)
    #expect(host.cpus == 6)
  }

  @Test("version 2 in a container: its own group is mounted as the root")
  func version2Container() throws {
    let host = try host(
      membership: "0::/\n", mounts: [unified],
      ["cpu.max": "150000 100000", "memory.max": "7000000"])
    #expect(host.quota == 1.5)
    #expect(host.cpus == 1)
    #expect(host.memoryLimit == 7_000_000)
  }

  @Test("a group outside the container's view leaves what is mounted")
  func outsideView() throws {
    let host = try host(
      membership: "0::/../../other\n", mounts: [unified], ["cpu.max": "200000 100000"])
    #expect(host.quota == 2)
  }

  @Test("version 1: quota, limit and a tighter parent")
  func version1() throws {
    let host = try host(
      membership: "4:memory:/a/b\n3:cpu,cpuacct:/a/b\n", mounts: [cpu, memory],
      [
        "cpu,cpuacct/a/b/cpu.cfs_quota_us": "-1", "cpu,cpuacct/a/b/cpu.cfs_period_us": "100000",
        "cpu,cpuacct/a/cpu.cfs_quota_us": "175000", "cpu,cpuacct/a/cpu.cfs_period_us": "50000",
        "memory/a/b/memory.limit_in_bytes": "9223372036854771712",
        "memory/a/memory.limit_in_bytes": "536870912",
      ])
    #expect(host.quota == 3.5)
    #expect(host.memoryLimit == 512 << 20)
  }

  @Test("version 1 in a container: the host's path, with the group mounted as the root")
  func version1Container() throws {
    let mount = "41 31 0:34 /docker/0abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory"
    let host = try host(
      membership: "4:memory:/docker/0abc\n", mounts: [mount],
      ["memory/memory.limit_in_bytes": "123456789"])
    #expect(host.memoryLimit == 123_456_789)
  }

  @Test("a group below a mounted part of the tree is found beneath the mount")
  func mountedPart() throws {
    let mount = "41 31 0:34 /docker/0abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory"
    let host = try host(
      membership: "4:memory:/docker/0abc/inner\n", mounts: [mount],
      ["memory/memory.limit_in_bytes": "9000", "memory/inner/memory.limit_in_bytes": "8000"])
    #expect(host.memoryLimit == 8000)
  }

  @Test("a mount of some other group does not apply by its name")
  func similarName() throws {
    let mounts = [
      "41 31 0:34 /docker/0 /sys/fs/cgroup/wrong ro - cgroup cgroup rw,memory",
      "42 31 0:34 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory",
    ]
    let host = try host(
      membership: "4:memory:/docker/0abc\n", mounts: mounts,
      ["wrong/memory.limit_in_bytes": "1", "memory/docker/0abc/memory.limit_in_bytes": "8000"])
    #expect(host.memoryLimit == 8000)
  }

  @Test("both versions side by side: the tighter one of each counts")
  func hybrid() throws {
    let host = try host(
      membership: "4:memory:/a\n3:cpu,cpuacct:/a\n0::/a\n",
      mounts: [cpu, memory, "50 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"],
      [
        "cpu,cpuacct/a/cpu.cfs_quota_us": "400000", "cpu,cpuacct/a/cpu.cfs_period_us": "100000",
        "unified/a/cpu.max": "500000 100000",
        "memory/a/memory.limit_in_bytes": "2000", "unified/a/memory.max": "1000",
      ])
    #expect(host.quota == 4)
    #expect(host.memoryLimit == 1000)
  }

  @Test("a mount point with a space is found")
  func escapedMountPoint() throws {
    let mount = "35 24 0:30 / /sys/fs/cgroup/my\\040tree rw - cgroup2 cgroup2 rw"
    let host = try host(
      membership: "0::/\n", mounts: [mount], ["my tree/cpu.max": "100000 100000"])
    #expect(host.quota == 1)
  }

  @Test(
    "nonsense in a limit is no limit",
    arguments: ["", "0 100000", "100000", "100000 0", "x y", "-1 100000", "1 2 3"])
  func nonsense(text: String) throws {
    let host = try host(
      membership: "0::/\nnonsense\n", mounts: [unified, "nonsense", "1 2 3 - x"],
      ["cpu.max": text, "memory.max": "0"])
    #expect(host.quota == nil)
    #expect(host.memoryLimit == nil)
  }

  @Test("a machine without any of this has what the scheduler allows")
  func nothing() {
    let host = HostResources.detect(root: folder.path + "/", affinity: 3)
    #expect(
      host
        == HostResources(affinity: 3, quota: nil, memoryLimit: nil, memoryAvailable: 0))
    #expect(host.cpus == 3)
  }

  @Test(
    "whole processors: the smaller of affinity and quota, rounded down, at least one",
    arguments: [
      (8, 2.9, 2), (8, 0.5, 1), (2, 4.0, 2), (4, nil, 4), (0, nil, 1), (8, 8.0, 8),
      (8, 1e300, 8),
    ] as [(Int, Double?, Int)])
  func cpus(affinity: Int, quota: Double?, expected: Int) {
    let host = HostResources(
      affinity: affinity, quota: quota, memoryLimit: nil, memoryAvailable: 0)
    #expect(host.cpus == expected)
  }

  @Test("available memory is read in kibibytes")
  func memoryAvailable() throws {
    try folder.write(
      "proc/meminfo", "MemTotal:  100 kB\nMemFree:  1 kB\nMemAvailable:   2048 kB\n")
    #expect(HostResources.detect(root: folder.path).memoryAvailable == 2 << 20)
  }

  @Test("this machine answers, as its own tools do")
  func thisMachine() throws {
    let host = HostResources.detect()
    // nproc counts the affinity, unless a variable says otherwise.
    #expect(try capture("/usr/bin/nproc", []).output == "\(host.affinity)\n")
    #expect(host.memoryAvailable > 1 << 20)
  }
}

@Suite struct IdentityTests {
  @Test("the host's name and boot are known")
  func host() throws {
    #expect(try capture("/bin/uname", ["-n"]).output == HostName.current() + "\n")
    #expect(BootIdentity.current().utf8.count == 36)
    #expect(BootIdentity.current() == BootIdentity.current())
  }

  @Test("a process's start is read past any name it has")
  func startTime() throws {
    let mine = try #require(BootIdentity.processStartTime(getpid()))
    let child = try ChildProcess.spawn(
      path: "/bin/sleep", arguments: ["100"], environment: [], descriptors: [])
    let theirs = try #require(BootIdentity.processStartTime(child.pid))
    #expect(theirs >= mine)
    // In ticks of 10 ms since the start of the machine.
    let now = BootClock.now() / 10_000_000
    #expect(theirs <= now + 2)
    #expect(now - theirs < 6000)
    try child.kill(SIGKILL)
    _ = try child.wait()
    #expect(BootIdentity.processStartTime(child.pid) == nil)
    // proc_pid_stat(5): the second field is the name, the 22nd the start.
    let odd = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20 21"
    #expect(BootIdentity.startTime(inStat: odd) == 4242)
    #expect(BootIdentity.startTime(inStat: "7 (x) S 1 2") == nil)
    #expect(BootIdentity.startTime(inStat: "") == nil)
  }

  @Test("random names have their length and differ")
  func random() {
    #expect(RandomBytes.hex(0) == "")
    #expect(RandomBytes.hex(8).utf8.count == 16)
    #expect(RandomBytes.hex(8) != RandomBytes.hex(8))
    #expect(RandomBytes.hex(64).allSatisfy { "0123456789abcdef".contains($0) })
  }
}
