import { dlopen, ptr } from "bun:ffi";

/**
 * Permanently gives up what a plugin's process no longer needs, for all of its threads. Resolves to how far that went:
 * the filter exists for Linux with the GNU C library, on x86-64 and arm64.
 */
export const lockDown = (): "process" | "process+seccomp" => {
  const table = process.platform === "linux" ? syscallTables[process.arch] : undefined;
  if (table === undefined) return "process";
  const libc = openLibc();
  if (libc === null) return "process";
  const filter = encodeFilter(seccompFilter(table, process.pid));
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, filter.length / 8, true);
  program.setBigUint64(8, BigInt(ptr(filter)), true);
  // Without it, only root may install a filter.
  if (libc.prctl(setNoNewPrivileges, 1, 0, 0, 0) !== 0) return "process";
  const address = ptr(new Uint8Array(program.buffer));
  return Number(libc.syscall(table.seccomp, setModeFilter, forAllThreads, address)) === 0
    ? "process+seccomp"
    : "process";
};

const openLibc = () => {
  try {
    return dlopen("libc.so.6", {
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
      syscall: { args: ["i64", "u64", "u64", "ptr"], returns: "i64" },
    }).symbols;
  } catch {
    // With another C library, the process is the only isolation, and the plugin's page says so.
    return null;
  }
};

const setNoNewPrivileges = 38;
const setModeFilter = 1;
const forAllThreads = 1;

/** One instruction of a classic BPF program. */
export type Instruction = { code: number; ifTrue: number; ifFalse: number; value: number };

/**
 * The filter for a plugin's process with the number `pid`: what it no longer needs fails with EPERM. Threads can still
 * be created and signalled, because the garbage collector does so.
 */
export const seccompFilter = (table: SyscallTable, pid: number): Instruction[] => {
  const refused = [...new Set(Object.values(table.refused))];
  return [
    load(offsets.audit),
    ...unless(equals, table.audit, answers.kill),
    load(offsets.number),
    ...(table.otherNumbering === null ? [] : when(atLeast, table.otherNumbering, answers.refuse)),
    // Its arguments are in memory, which no filter can read; the C library then falls back to `clone`.
    ...when(equals, table.clone3, answers.missing),
    // A new process is refused, a thread is not.
    ...whenCall(table.clone, hasBits, cloneThread),
    ...whenCall(table.tgkill, equals, pid),
    ...refused.flatMap((number) => when(equals, number, answers.refuse)),
    give(answers.allow),
  ];
};

/** The program as the kernel reads it. */
export const encodeFilter = (filter: readonly Instruction[]): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(filter.length * instructionBytes));
  for (const [index, { code, ifTrue, ifFalse, value }] of filter.entries()) {
    const at = index * instructionBytes;
    bytes.setUint16(at, code, true);
    bytes.setUint8(at + 2, ifTrue);
    bytes.setUint8(at + 3, ifFalse);
    bytes.setUint32(at + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
};

/** Possible results of the filter: `SECCOMP_RET_…`, with the error's number in the low half. */
export const answers = {
  allow: 0x7fff0000,
  refuse: 0x00050000 + 1,
  missing: 0x00050000 + 38,
  kill: 0x80000000,
} as const;

// Offsets in `struct seccomp_data` of the call's number, the architecture, and the lower half of the first argument.
const offsets = { number: 0, audit: 4, firstArgument: 16 } as const;

const equals = 0x15;
const atLeast = 0x35;
const hasBits = 0x45;

const load = (offset: number): Instruction => ({ code: 0x20, ifTrue: 0, ifFalse: 0, value: offset });
const give = (answer: number): Instruction => ({ code: 0x06, ifTrue: 0, ifFalse: 0, value: answer });

const when = (test: number, value: number, answer: number): Instruction[] => [
  { code: test, ifTrue: 0, ifFalse: 1, value },
  give(answer),
];

const unless = (test: number, value: number, answer: number): Instruction[] => [
  { code: test, ifTrue: 1, ifFalse: 0, value },
  give(answer),
];

/** Allows a call only with this first argument. */
const whenCall = (number: number, test: number, value: number): Instruction[] => [
  { code: equals, ifTrue: 0, ifFalse: 4, value: number },
  load(offsets.firstArgument),
  ...unless(test, value, answers.refuse),
  give(answers.allow),
];

const cloneThread = 0x00010000;
const instructionBytes = 8;

/** Numbers of system calls on one architecture, from the kernel's `unistd.h`. */
type SyscallTable = {
  /** The name that `seccomp` has for the architecture: `AUDIT_ARCH_…`. */
  audit: number;
  /** From this number on, calls are another numbering of the same ones. `null` if there is none. */
  otherNumbering: number | null;
  seccomp: number;
  clone: number;
  clone3: number;
  tgkill: number;
  /**
   * Calls that a plugin's process is refused: files, sockets, programs, other processes, and rarely used kernel
   * interfaces.
   */
  refused: Readonly<Record<string, number>>;
};

/** Calls with the same number on both architectures. */
const everywhere = {
  openat2: 437,
  faccessat2: 439,
  fchmodat2: 452,
  setxattrat: 463,
  mount_setattr: 442,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  open_tree: 428,
  quotactl_fd: 443,
  pidfd_open: 434,
  pidfd_send_signal: 424,
  pidfd_getfd: 438,
  process_madvise: 440,
  process_mrelease: 448,
  memfd_secret: 447,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  landlock_create_ruleset: 444,
} as const;

const x64: SyscallTable = {
  audit: 0xc000003e,
  otherNumbering: 0x40000000,
  seccomp: 317,
  clone: 56,
  clone3: 435,
  tgkill: 234,
  refused: {
    ...everywhere,
    ...{ open: 2, creat: 85, openat: 257, open_by_handle_at: 304, name_to_handle_at: 303 },
    ...{ stat: 4, lstat: 6, newfstatat: 262, statx: 332, statfs: 137, access: 21, faccessat: 269 },
    ...{ readlink: 89, readlinkat: 267, getdents: 78, getdents64: 217 },
    ...{ chdir: 80, fchdir: 81, chroot: 161, pivot_root: 155, truncate: 76 },
    ...{ unlink: 87, unlinkat: 263, rename: 82, renameat: 264, renameat2: 316 },
    ...{ mkdir: 83, mkdirat: 258, rmdir: 84, link: 86, linkat: 265, symlink: 88, symlinkat: 266 },
    ...{ mknod: 133, mknodat: 259, chmod: 90, fchmod: 91, fchmodat: 268 },
    ...{ chown: 92, fchown: 93, lchown: 94, fchownat: 260 },
    ...{ utime: 132, utimes: 235, utimensat: 280, futimesat: 261 },
    ...{ setxattr: 188, lsetxattr: 189, fsetxattr: 190, removexattr: 197, lremovexattr: 198 },
    ...{ fremovexattr: 199, mount: 165, umount2: 166, swapon: 167, swapoff: 168, quotactl: 179 },
    ...{ inotify_init: 253, inotify_init1: 294, inotify_add_watch: 254 },
    ...{ fanotify_init: 300, fanotify_mark: 301 },
    ...{ socket: 41, socketpair: 53, connect: 42, bind: 49, listen: 50, accept: 43, accept4: 288 },
    ...{ fork: 57, vfork: 58, execve: 59, execveat: 322 },
    ...{ kill: 62, tkill: 200, rt_sigqueueinfo: 129, rt_tgsigqueueinfo: 297 },
    ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312 },
    ...{ move_pages: 279, migrate_pages: 256, prctl: 157, prlimit64: 302, setrlimit: 160, seccomp: 317 },
    ...{ setuid: 105, setgid: 106, setreuid: 113, setregid: 114, setresuid: 117, setresgid: 119 },
    ...{ setgroups: 116, setfsuid: 122, setfsgid: 123, capset: 126, setsid: 112, setpgid: 109 },
    ...{ setns: 308, unshare: 272, sethostname: 170, setdomainname: 171 },
    ...{ settimeofday: 164, clock_settime: 227, clock_adjtime: 305, adjtimex: 159 },
    ...{ reboot: 169, acct: 163, personality: 135, iopl: 172, ioperm: 173 },
    ...{ bpf: 321, perf_event_open: 298, userfaultfd: 323, memfd_create: 319 },
    ...{ keyctl: 250, add_key: 248, request_key: 249, syslog: 103, vhangup: 153 },
    ...{ init_module: 175, finit_module: 313, delete_module: 176, kexec_load: 246, kexec_file_load: 320 },
    ...{ shmget: 29, shmat: 30, shmctl: 31, msgget: 68, semget: 64, mq_open: 240, mq_unlink: 241 },
    ...{ sched_setaffinity: 203, sched_setscheduler: 144, sched_setattr: 314, sched_setparam: 142 },
    ...{ setpriority: 141, ioprio_set: 251 },
  },
};

const arm64: SyscallTable = {
  audit: 0xc00000b7,
  otherNumbering: null,
  seccomp: 277,
  clone: 220,
  clone3: 435,
  tgkill: 131,
  refused: {
    ...everywhere,
    ...{ openat: 56, open_by_handle_at: 265, name_to_handle_at: 264 },
    ...{ newfstatat: 79, statx: 291, statfs: 43, faccessat: 48, readlinkat: 78, getdents64: 61 },
    ...{ chdir: 49, fchdir: 50, chroot: 51, pivot_root: 41, truncate: 45 },
    ...{ unlinkat: 35, renameat: 38, renameat2: 276, mkdirat: 34, linkat: 37, symlinkat: 36 },
    ...{ mknodat: 33, fchmod: 52, fchmodat: 53, fchown: 55, fchownat: 54, utimensat: 88 },
    ...{ setxattr: 5, lsetxattr: 6, fsetxattr: 7, removexattr: 14, lremovexattr: 15, fremovexattr: 16 },
    ...{ mount: 40, umount2: 39, swapon: 224, swapoff: 225, quotactl: 60 },
    ...{ inotify_init1: 26, inotify_add_watch: 27, fanotify_init: 262, fanotify_mark: 263 },
    ...{ socket: 198, socketpair: 199, connect: 203, bind: 200, listen: 201, accept: 202, accept4: 242 },
    ...{ execve: 221, execveat: 281, kill: 129, tkill: 130 },
    ...{ rt_sigqueueinfo: 138, rt_tgsigqueueinfo: 240 },
    ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272 },
    ...{ move_pages: 239, migrate_pages: 238, prctl: 167, prlimit64: 261, setrlimit: 164, seccomp: 277 },
    ...{ setuid: 146, setgid: 144, setreuid: 145, setregid: 143, setresuid: 147, setresgid: 149 },
    ...{ setgroups: 159, setfsuid: 151, setfsgid: 152, capset: 91, setsid: 157, setpgid: 154 },
    ...{ setns: 268, unshare: 97, sethostname: 161, setdomainname: 162 },
    ...{ settimeofday: 170, clock_settime: 112, clock_adjtime: 266, adjtimex: 171 },
    ...{ reboot: 142, acct: 89, personality: 92 },
    ...{ bpf: 280, perf_event_open: 241, userfaultfd: 282, memfd_create: 279 },
    ...{ keyctl: 219, add_key: 217, request_key: 218, syslog: 116, vhangup: 58 },
    ...{ init_module: 105, finit_module: 273, delete_module: 106, kexec_load: 104, kexec_file_load: 294 },
    ...{ shmget: 194, shmat: 196, shmctl: 195, msgget: 186, semget: 190, mq_open: 180, mq_unlink: 181 },
    ...{ sched_setaffinity: 122, sched_setscheduler: 119, sched_setattr: 274, sched_setparam: 118 },
    ...{ setpriority: 140, ioprio_set: 30 },
  },
};

/** The architectures that a filter exists for, by Node's names. */
export const syscallTables: Readonly<Record<string, SyscallTable | undefined>> = { x64, arm64 };
