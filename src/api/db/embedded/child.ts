import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { shrinkWhenIdle } from "#api/core/timing.ts";
import { completeSwap, swapListName } from "../complete-swap.ts";
import { asToChild, type FromChild, parseChildArguments } from "./child-messages.ts";
import { ensureCluster, makingFault, openingFault, UnusableFolderError } from "./cluster-folder.ts";
import { openEngine } from "./engine.ts";
import { openLibc } from "./libc.ts";
import { lockFolder } from "./lock.ts";
import { serveWire } from "./wire-server.ts";

/**
 * The database process: the server starts it as a hidden subcommand, with {@link ChildArguments} as JSON, and talks
 * to it over the channel of `Bun.spawn`. It lives no longer than the server. Resolves once the database is open.
 */
export const runDatabaseChild = async (argsJson: string): Promise<void> => {
  const { dataDir, socketPath, seedFile, parentPid } = parseChildArguments(argsJson);
  const libc = openLibc();
  libc?.dieWithParent();
  // The server may have ended before the kernel started to watch it.
  if (process.ppid !== parentPid) process.exit(exitCodes.orphaned);
  process.on("disconnect", () => process.exit(exitCodes.orphaned));
  // A terminal or a service manager signals the whole group: the server decides, after its last request.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  // The engine creates its files readable for every user.
  process.umask(0o077);

  const folder = join(dataDir, "database");
  const cannotMake = async (error: unknown): Promise<never> =>
    leave({ type: "unusable", ...(await makingFault(folder, error)) }, exitCodes.unusable);
  const lock = await lockFolder(dataDir, libc, lockPatienceMs, parentPid).catch(cannotMake);
  if (!lock.isHeld) return leave({ type: "in-use", pid: lock.holder }, exitCodes.inUse);
  try {
    await completeSwap(dataDir);
  } catch (error) {
    return leave(
      { type: "unusable", text: unfinishedText(dataDir, error), isFinal: true },
      exitCodes.unusable,
    );
  }
  try {
    await ensureCluster(folder, seedFile);
  } catch (error) {
    if (!(error instanceof UnusableFolderError)) return cannotMake(error);
    return leave({ type: "unusable", text: error.message, isFinal: true }, exitCodes.unusable);
  }

  const before = controlOf(folder);
  const engine = await openEngine({ folder }).catch(async (error: unknown) => {
    rmSync(join(folder, "postmaster.pid"), { force: true });
    const isUntouched = controlOf(folder).equals(before);
    return leave(
      { type: "unusable", ...(await openingFault(folder, error, isUntouched)) },
      exitCodes.unusable,
    );
  });
  const { rows } = await engine.query<{ server_version: string }>("show server_version");
  const server = await serveWire({
    engine,
    serverVersion: rows[0]?.server_version ?? "",
    socketPath,
    idleLimitMs: idleTransactionLimitMs,
    onIdleTransaction: () => send({ type: "idle-transaction" }),
    onBroken: (reason) => void leave({ type: "broken", reason }, exitCodes.broken),
  });

  process.on("message", async (raw: unknown) => {
    const message = asToChild(raw);
    if (message.type === "ping") return send({ type: "pong", rssBytes: process.memoryUsage.rss() });
    await server.close();
    await engine.close();
    process.exit(0);
  });
  send({ type: "ready" });
  shrinkWhenIdle();
};

const unfinishedText = (dataDir: string, error: unknown): string =>
  `A restore into ${dataDir} stopped before its last step, which cannot be completed now (${error instanceof Error ? error.message : String(error)}). For details, see ${join(dataDir, swapListName)}`;

/** What the engine writes first of all once it goes to work on a cluster: while this is the same, all of it is. */
const controlOf = (folder: string): Buffer => readFileSync(join(folder, "global/pg_control"));

/** Time for a stopping predecessor. A second opener must be refused within two seconds. */
const lockPatienceMs = 500;
const idleTransactionLimitMs = 5000;

const exitCodes = { orphaned: 71, broken: 70, inUse: 75, unusable: 65 } as const;

const send = (message: FromChild): void => {
  process.send?.(message);
};

/** Exits once the message is on its way. */
const leave = (message: FromChild, code: number): Promise<never> =>
  new Promise(() => {
    process.send?.(message, undefined, undefined, () => process.exit(code));
  });
