import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import type { Server } from "bun";
import { startingAnswer } from "./starting-answer.ts";

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
