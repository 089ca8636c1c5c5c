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
import { CliFailure } from "./failure.ts";

/** What decides whether a socket may be sent secrets: who asks, and what lies there. */
export type SocketFacts = {
  user: number;
  socket: Pick<Stats, "uid">;
  folder: Pick<Stats, "uid" | "mode">;
  /** Whether the very socket that was looked at is the one that is connected to, whatever its folder holds by then. */
  isPinned: boolean;
};

/**
 * Who has to be mistrusted about a control socket: the number of a user, or `null` for nobody. The caller and root are trusted,
 * and for root the owner of the data folder, too: no other user can make a socket of theirs. Where the socket could be another one
 * a moment later, nobody else may be able to change its folder.
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
 * Calls the server at a control socket of the operator's own. Throws `FORBIDDEN`, before anything is sent, for one that somebody
 * else made or that is a link; the system's error where none is, and `ECONNREFUSED` for what is no socket.
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
      `${socket} is a link, which no server makes: nothing was sent. Remove it, and start the server again`,
    );
  if (!stats.isSocket())
    throw Object.assign(new Error(`nothing listens at ${socket}`), { code: "ECONNREFUSED" });
  const user = process.getuid?.();
  if (user === undefined) return;
  const folder = dirname(socket);
  const stranger = strangerAt({ user, socket: stats, folder: statSync(folder), isPinned });
  if (stranger === null) return;
  const { nameOf } = await import("./doctor/as-owner.ts");
  const name = nameOf(stranger);
  throw new CliFailure(
    "FORBIDDEN",
    stranger === user || stranger === 0
      ? `other users may replace ${socket}: nothing was sent. Close its folder to them: chmod 700 ${folder}`
      : `${socket} is in the hands of another user, ${name}: nothing was sent. If that is your server's user, run this command as ${name} (sudo -u ${name}); otherwise name your own data folder with --data-dir`,
  );
};
