import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import type { LocalApp } from "#cli/composition.ts";
import { CliFailure } from "#cli/failure.ts";

/** A call on its way to the API. */
export type Call = {
  method: string;
  path: string;
  /** JSON as text, or a form with a file. */
  body: string | FormData | null;
  headers?: Record<string, string>;
  /** Ends the call, while its answer is being read too; `null` for a call that takes as long as it takes. */
  signal: AbortSignal | null;
};

/** One way to reach the API. Throws `UNREACHABLE` without a response. */
export type Transport = {
  /** Where the calls go, for messages. */
  target: string;
  /** Whether a server responds; it continues its work after the command has ended. */
  isServer: boolean;
  send(call: Call): Promise<Response>;
  /** Starts a plugin before it is called; a server does that automatically. */
  startPlugin(name: string): Promise<void>;
  close(): Promise<void>;
};

const probeTimeoutMs = 2_000;
// A server that starts lets requests in within moments, unless its database is away. The operator is to know within two seconds.
const startingPatienceMs = 1_200;
const retryMs = 100;
// Elysia takes the path from the 11th character on; this base serves where no host matters.
const localBase = "http://localhost";

/** Calls over the network, with an API token. Redirects are not followed: the token belongs to the given host alone. */
export const remoteTransport = (origin: string, token: string | null): Transport => ({
  target: origin,
  isServer: true,
  send: async (call) => {
    const response = await reach(origin, () =>
      fetch(`${origin}${call.path}`, {
        ...fetchOptions(call, token === null ? {} : { authorization: `Bearer ${token}` }),
        redirect: "manual",
      }),
    );
    if (response.status < 300 || response.status > 399) return response;
    const location = response.headers.get("location") ?? "elsewhere";
    throw new CliFailure("UNREACHABLE", `${origin} redirects to ${location}; use that URL with --url`);
  },
  startPlugin: async () => {},
  close: async () => {},
});

/** Calls over the control socket of the server that runs on this data folder, which is given a moment where it is starting. */
export const socketTransport = (path: string): Transport => {
  const deadline = performance.now() + startingPatienceMs;
  return {
    target: path,
    isServer: true,
    send: async (call) => {
      for (;;) {
        const response = await reach(path, () =>
          fetchOwn(path, `${localBase}${call.path}`, fetchOptions(call)),
        );
        if (performance.now() > deadline || !(await isStarting(response))) return response;
        await Bun.sleep(retryMs);
      }
    },
    startPlugin: async () => {},
    close: async () => {},
  };
};

/** Whether a server has refused a call because it starts: nothing of it was read. */
const isStarting = async (response: Response): Promise<boolean> => {
  if (response.status !== 503) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return Reflect.get(Object(body), "code") === "STARTING";
};

/** Calls to the app in this process. */
export const localTransport = (app: LocalApp): Transport => ({
  target: "this process",
  isServer: false,
  send: (call) => app.handle(new Request(`${localBase}${call.path}`, fetchOptions(call))),
  startPlugin: (name) => app.startPlugin(name),
  close: () => app.close(),
});

/**
 * Whether a server listens on the control socket. Throws `FORBIDDEN` when the socket is in another user's hands, and
 * `UNREACHABLE` when something holds it open without answering.
 */
export const isServerRunning = async (socket: string): Promise<boolean> => {
  try {
    await fetchOwn(socket, `${localBase}/api/health`, { signal: AbortSignal.timeout(probeTimeoutMs) });
    return true;
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED") return false;
    if (code === "EACCES" || code === "EPERM") {
      throw new CliFailure(
        "FORBIDDEN",
        `${socket} belongs to another user; run this command as the owner of the data folder`,
      );
    }
    throw new CliFailure("UNREACHABLE", `the server behind ${socket} does not respond`, { cause: error });
  }
};

const fetchOptions = ({ method, body, headers, signal }: Call, credentials: Record<string, string> = {}) => ({
  method,
  body,
  headers: {
    accept: "application/json",
    host: "localhost",
    // A form names its own boundary.
    ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
    ...headers,
    ...credentials,
  },
  signal,
  // The call's own signal says how long it may take.
  timeout: false,
});

const reach = async (target: string, send: () => Promise<Response>): Promise<Response> => {
  try {
    return await send();
  } catch (error) {
    // What the caller ended by himself needs no other words.
    if (error instanceof CliFailure) throw error;
    const reason =
      error instanceof Error && error.name === "TimeoutError" ? "no response in time" : codeOf(error);
    throw new CliFailure("UNREACHABLE", `cannot reach ${target} (${reason})`, { cause: error });
  }
};

const codeOf = (error: unknown): string => String(Reflect.get(Object(error), "code") ?? "unknown reason");

/** What decides whether a socket may be sent secrets: who asks, and what lies there. */
type SocketFacts = {
  user: number;
  socket: Pick<Stats, "uid">;
  folder: Pick<Stats, "uid" | "mode">;
  /** Whether the very socket that was looked at is the one that is connected to, whatever its folder holds by then. */
  isPinned: boolean;
};

/**
 * The user who makes a control socket untrustworthy, by number; `null` when it can be trusted. The caller and root are trusted,
 * and for root the owner of the data folder, too: no other user can make a socket of theirs. Where the socket could be another one
 * a moment later, no other user may be able to change its folder.
 */
export const strangerAt = ({ user, socket, folder, isPinned }: SocketFacts): number | null => {
  const isTrusted = (owner: number) => owner === user || owner === 0 || (user === 0 && owner === folder.uid);
  if (!isTrusted(socket.uid)) return socket.uid;
  if (isPinned) return null;
  const isOpen = (folder.mode & 0o022) !== 0 && (folder.mode & sticky) === 0;
  return isTrusted(folder.uid) && !isOpen ? null : folder.uid;
};

const sticky = 0o1000;
// Linux: a descriptor that names a file without opening it. Neither Node nor Bun has the constant.
const pathOnly = 0o10000000;

/**
 * Calls the server at a control socket of the operator's own. Throws `FORBIDDEN`, before anything is sent, for one that another
 * user made or that is a link; the system's error where none is, and `ECONNREFUSED` for what is not a socket.
 */
export const fetchOwn = (
  socket: string,
  url: string,
  options: RequestInit & { timeout?: boolean },
): Promise<Response> =>
  // A connection that was kept would be found again by the descriptor's number, which by then may name another socket.
  atOwnSocket(socket, (unix) => fetch(url, { ...options, unix, keepalive: false }));

/** The same for any work with the path at which the socket is to be connected to: the one that was looked at, and no other. */
export const atOwnSocket = async <T>(socket: string, connect: (unix: string) => Promise<T>): Promise<T> => {
  const seen = lookAt(socket);
  try {
    await refuseStrangers(socket, seen);
    return await connect(seen.path);
  } finally {
    seen.close();
  }
};

type Seen = { path: string; stats: Stats; isPinned: boolean; close(): void };

const lookAt = (socket: string): Seen => {
  if (process.platform !== "linux") return unpinned(socket);
  const descriptor = openSync(socket, pathOnly | constants.O_NOFOLLOW);
  const path = `/proc/self/fd/${descriptor}`;
  const close = () => closeSync(descriptor);
  if (existsSync(path)) return { path, stats: fstatSync(descriptor), isPinned: true, close };
  // Where /proc is not to be had, as in some containers.
  close();
  return unpinned(socket);
};

const unpinned = (socket: string): Seen => ({
  path: socket,
  stats: lstatSync(socket),
  isPinned: false,
  close: () => {},
});

const refuseStrangers = async (socket: string, { stats, isPinned }: Seen): Promise<void> => {
  if (stats.isSymbolicLink())
    throw new CliFailure(
      "FORBIDDEN",
      `${socket} is a symbolic link, which no Atrium server creates: nothing was sent. Remove it and restart the server`,
    );
  if (!stats.isSocket())
    throw Object.assign(new Error(`no server is listening on ${socket}`), { code: "ECONNREFUSED" });
  const user = process.getuid?.();
  if (user === undefined) return;
  const folder = dirname(socket);
  const stranger = strangerAt({ user, socket: stats, folder: statSync(folder), isPinned });
  if (stranger === null) return;
  const { nameOf } = await import("#cli/commands/doctor/as-owner.ts");
  const name = nameOf(stranger);
  throw new CliFailure(
    "FORBIDDEN",
    stranger === user || stranger === 0
      ? `other users could replace ${socket}: nothing was sent. Restrict access to its folder: chmod 700 ${folder}`
      : `${socket} is controlled by another user, ${name}: nothing was sent. If your server runs as ${name}, run this command as that user (sudo -u ${name}); otherwise choose your own data folder with --data-dir`,
  );
};
