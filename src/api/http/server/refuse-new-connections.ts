import { dlopen, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";

/**
 * Makes the system ignore new connections to the TCP port that this process listens on, so that it can be closed while no
 * client waits: closing a listening socket resets clients that have connected but were not accepted yet, perhaps with a
 * request sent. Existing connections, also those waiting to be accepted, continue. New clients retry a second later, and
 * are refused then or reach the next process. Linux only; returns `false` if it was not done.
 */
export const refuseNewConnections = (port: number): boolean => {
  const libc = process.platform === "linux" ? openLibc() : null;
  if (libc === null) return false;
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, withoutSyn.length, true);
  program.setBigUint64(8, BigInt(ptr(encoded)), true);
  const argument = ptr(new Uint8Array(program.buffer));
  const doors = openSockets().filter((fd) => isListening(libc, fd) && portOf(libc, fd) === port);
  const done = doors.map((fd) => libc.setsockopt(fd, socketLevel, attachFilter, argument, 16) === 0);
  return done.length > 0 && !done.includes(false);
};

type Libc = NonNullable<ReturnType<typeof openLibc>>;

// glibc, then musl, which names its library after the processor.
const libcNames = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

const openLibc = () => {
  for (const name of libcNames) {
    try {
      return dlopen(name, {
        getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
        getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
        setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
      }).symbols;
    } catch {
      // The next name may be the right one; without any, the port closes without this.
    }
  }
  return null;
};

// The same numbers on x86-64 and arm64.
const socketLevel = 1;

const attachFilter = 26;

const acceptsConnections = 30;

/** A classic packet filter over the TCP header, as [code, if true, if false, value]: drops connection requests. */
const withoutSyn = [
  [0x30, 0, 0, 13], // load the byte of flags
  [0x45, 0, 1, 0x02], // is SYN set?
  [0x06, 0, 0, 0], // then drop it
  [0x06, 0, 0, 0xffff_ffff], // else let it through
] as const;

const encoded = new Uint8Array(withoutSyn.length * 8);
for (const [index, [code, ifTrue, ifFalse, value]] of withoutSyn.entries()) {
  const view = new DataView(encoded.buffer, index * 8);
  view.setUint16(0, code, true);
  view.setUint8(2, ifTrue);
  view.setUint8(3, ifFalse);
  view.setUint32(4, value, true);
}

/** Every open file of this process; the system calls reject those that are not sockets. */
const openSockets = (): number[] => {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    // Without /proc the socket can't be found, because Bun doesn't expose its descriptor.
    return [];
  }
};

const isListening = (libc: Libc, fd: number): boolean => {
  const value = new Int32Array(1);
  const size = new Uint32Array([value.byteLength]);
  return libc.getsockopt(fd, socketLevel, acceptsConnections, ptr(value), ptr(size)) === 0 && value[0] === 1;
};

/** The port lies at the same place in addresses of both families; a socket in the file system has letters there. */
const portOf = (libc: Libc, fd: number): number | null => {
  const address = new DataView(new ArrayBuffer(128));
  const size = new Uint32Array([address.byteLength]);
  if (libc.getsockname(fd, ptr(new Uint8Array(address.buffer)), ptr(size)) !== 0) return null;
  return internetFamilies.includes(address.getUint16(0, true)) ? address.getUint16(2) : null;
};

const internetFamilies = [2, 10];
