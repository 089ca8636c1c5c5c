import { dlopen } from "bun:ffi";

/** The few calls of the C library that Bun has no function for. */
export type Libc = {
  /** Takes an exclusive lock on the open file, without waiting. `false` when another process holds it. */
  tryLock(fd: number): boolean;
  /** Has the kernel kill this process when its parent ends, even while it cannot listen. Linux only. */
  dieWithParent(): void;
};

/** Opens the C library; `null` where it has a name that is not known here. */
export const openLibc = (): Libc | null => {
  for (const name of names[process.platform] ?? []) {
    try {
      return process.platform === "linux" ? openLinux(name) : openOther(name);
    } catch {
      // The next name may be the right one; without any, callers have a slower way.
    }
  }
  return null;
};

// glibc, then musl, which names its library after the processor.
const names: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  darwin: ["libSystem.B.dylib"],
};

const flock = { args: ["i32", "i32"], returns: "i32" } as const;
const lockExclusive = 2;
const lockWithoutWaiting = 4;

const openLinux = (name: string): Libc => {
  const { symbols } = dlopen(name, {
    flock,
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  });
  return {
    tryLock: (fd) => symbols.flock(fd, lockExclusive | lockWithoutWaiting) === 0,
    dieWithParent: () => void symbols.prctl(setParentDeathSignal, sigkill, 0, 0, 0),
  };
};

const setParentDeathSignal = 1;
const sigkill = 9;

const openOther = (name: string): Libc => {
  const { symbols } = dlopen(name, { flock });
  return {
    tryLock: (fd) => symbols.flock(fd, lockExclusive | lockWithoutWaiting) === 0,
    dieWithParent: () => {},
  };
};
