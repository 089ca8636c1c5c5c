import { dlopen, ptr } from "bun:ffi";
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import type { Server } from "bun";
import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { issueSetupLink } from "#api/modules/auth/index.ts";
import { failureOf } from "../errors.ts";
import { apiHeaders } from "../security-headers.ts";
import { splitTarget } from "../target.ts";

/** Another process listens on the port; the message is for the operator. `variable` is the setting that names the port. */
export class PortInUseError extends Error {
  constructor({ hostname, port, variable }: Place) {
    const holder = holderOf(port);
    super(
      `port ${port} on ${hostname} is in use${holder === null ? "" : ` by ${holder}`}. ` +
        `Stop that process, or choose another port with ${variable}`,
    );
    this.name = "PortInUseError";
  }
}

type Place = { hostname: string; port: number; variable: string };
type Listening = Place & {
  maxRequestBodySize: number;
  idleTimeout?: number;
  fetch(request: Request): Response | Promise<Response>;
};

/**
 * Listens on a port that no other process listens on. Without `reusePort: false` Bun would share it with every other process
 * of this user that does the same, and the system would split visitors between them (0042). Throws {@link PortInUseError}.
 */
export const listenAlone = ({ variable, ...options }: Listening): Server<undefined> => {
  try {
    return Bun.serve({ ...quietFaults, ...options, reusePort: false });
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "EADDRINUSE") throw error;
    throw new PortInUseError({ ...options, variable });
  }
};

const drainMs = 12_000;
const retryMs = 100;
const probeMs = 1_000;

/** The same; a server on that port that is stopping gets 12 seconds to do so. */
export const listenAfterDrain = async (listening: Listening): Promise<Server<undefined>> => {
  const deadline = performance.now() + drainMs;
  for (let isStranger = false; ; ) {
    try {
      return listenAlone(listening);
    } catch (error) {
      if (!(error instanceof PortInUseError) || isStranger || performance.now() >= deadline) throw error;
      // One that ended while it was asked has broken that connection off, and left the port.
      isStranger = !(await isStopping(listening));
      if (!isStranger) await Bun.sleep(retryMs);
    }
  }
};

/** Whether the server on a port says that it stops, or takes no new connections, as it does right before its end. */
const isStopping = async ({ hostname, port }: Place): Promise<boolean> => {
  const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[hostname] ?? hostname;
  try {
    const response = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${port}/api/ready`, {
      redirect: "manual",
      signal: AbortSignal.timeout(probeMs),
    });
    return Object(await response.json()).code === "SHUTTING_DOWN";
  } catch (error) {
    const { name, code } = Object(error);
    return code === "ConnectionRefused" || (name === "TimeoutError" && !(await takesConnections(host, port)));
  }
};

/** Whether who listens takes a new connection within a second. */
const takesConnections = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: probeMs });
    const end = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once("connect", () => end(true));
    for (const event of ["timeout", "error"]) socket.once(event, () => end(false));
  });

/** The process that listens on a port, if Linux shows it to this user; `null` otherwise. */
const holderOf = (port: number): string | null => {
  try {
    const sockets = new Set(["tcp", "tcp6"].flatMap((table) => listenersOn(table, port)));
    const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holdsOneOf(name, sockets));
    return pid === undefined ? null : `pid ${pid} (${readFileSync(`/proc/${pid}/comm`, "utf8").trim()})`;
  } catch {
    // Other systems have no such files, or the process has ended meanwhile.
    return null;
  }
};

/** Links of the sockets that listen on a port. Source: proc_pid_net(5). */
const listenersOn = (table: string, port: number): string[] => {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync(`/proc/net/${table}`, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(end) && state === listenState)
    .map((fields) => `socket:[${fields[9]}]`);
};

const listenState = "0A";

const holdsOneOf = (pid: string, sockets: Set<string>): boolean => {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => sockets.has(readlinkSync(`${folder}/${fd}`)));
  } catch {
    // Another user's process, or one that has ended.
    return false;
  }
};

type Answer = (request: Request) => Response | Promise<Response>;

/** The operator's socket: for the owner of the data folder alone, and answering that the server starts until it lets in. */
export type ControlSocket = {
  server: Server<undefined>;
  /** From here on `answer` has the requests. */
  letIn(answer: Answer): void;
  /** Removes the socket's file immediately; requests under way continue. */
  remove(): void;
};

/** Listens at `path`. Only for the process that holds the lock of the data folder: an existing socket is replaced. */
export const openControlSocket = (path: string): ControlSocket => {
  let answer: Answer = startingAnswer;
  const server = listen(path, (request) => answer(request));
  const remove = () => {
    process.off("exit", remove);
    rmSync(path, { force: true });
  };
  // A start that waits ends with the process, by a signal. Later another process may hold the lock before this one is gone.
  process.on("exit", remove);
  return {
    server,
    letIn: (next) => {
      process.off("exit", remove);
      answer = next;
    },
    remove,
  };
};

const listen = (path: string, fetch: Answer): Server<undefined> => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // An existing one is left over: this process holds the lock of the data folder.
  rmSync(path, { force: true });
  // For the owner alone from its first instant.
  const umask = process.umask(0o177);
  try {
    const options: Bun.Serve.Options<undefined> = { unix: path, ...quietFaults, fetch };
    // The owner's commands wait for long work that is silent, such as the removal of very many activities. The types
    // know this option for ports alone.
    Object.assign(options, { idleTimeout: 0 });
    const server = Bun.serve(options);
    chmodSync(path, 0o600);
    return server;
  } finally {
    process.umask(umask);
  }
};

/**
 * For every listener: without it Bun shows strangers a page with source, stack and folder for whatever is thrown before a
 * handler could catch it. Its own look at NODE_ENV comes before any of our code runs.
 */
const quietFaults = {
  development: false,
  error: () =>
    new Response("Internal Server Error\n", {
      status: 500,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    }),
} as const;

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

/**
 * The response before requests are accepted: health says that the process is alive, everything else that the server is
 * starting.
 */
export const startingAnswer = ({ url }: Pick<Request, "url">): Response => {
  const { path } = splitTarget(url);
  const headers = apiHeaders(false);
  if (path === "/api/health") return Response.json({ success: true, status: "alive" }, { headers });
  const error = new AppError("STARTING", undefined, { retryAfterS: 1, data: { status: "starting" } });
  const { status, body, headers: own } = failureOf(error, crypto.randomUUID());
  return Response.json(body, { status, headers: { ...headers, ...own } });
};

/**
 * Passes the link that creates the first admin to `tell`, where there are no users yet. If the database does not allow
 * that, the server runs without it and tries again every `retryMs`, five seconds unless given. Resolves after the first
 * attempt, to a function that stops further ones.
 */
export const announceSetupLink = async (
  services: Services,
  { tell, retryMs = 5_000 }: { tell: (link: string) => void; retryMs?: number },
): Promise<() => void> => {
  let isOver = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const attempt = async (): Promise<void> => {
    const link = await issueSetupLink(services).catch((error) => {
      if (isOver) return null;
      services.log.warn("the link for the first admin could not be created yet", {
        error: describeError(error),
      });
      retry = setTimeout(attempt, retryMs);
      return null;
    });
    if (link !== null) tell(link);
  };
  await attempt();
  return () => {
    isOver = true;
    clearTimeout(retry);
  };
};
