import { dlopen, ptr } from "bun:ffi";
import { encodeFilter, seccompFilter } from "./seccomp-filter.ts";
import { syscallTables } from "./syscalls.ts";

/**
 * Gives up for good what a plugin's process no longer needs, for all of its threads. Resolves to how far that went:
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
    // Another C library: the process is all the protection there is, and the plugin's page says so.
    return null;
  }
};

const setNoNewPrivileges = 38;
const setModeFilter = 1;
const forAllThreads = 1;
