import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import type { Log } from "#api/core/log.ts";
import { findSeed, isExecutable } from "../bundled-files.ts";
import {
  asFromChild,
  type ChildArguments,
  databaseSubcommand,
  type FromChild,
  type ToChild,
} from "./child-messages.ts";
import {
  crashReason,
  DatabaseUnusableError,
  DataFolderInUseError,
  makeUsable,
  UnfitDatabaseError,
} from "./errors.ts";
import { watchFreeSpace } from "./free-space.ts";

/** The embedded database, kept running in a process of its own. */
type EmbeddedServer = {
  readonly socketPath: string;
  /** The process that serves at the moment; `null` while there is none. */
  readonly pid: number | null;
  /** How often it was started again since the first time. */
  readonly restarts: number;
  /** Why a write would fail now, or `null`. */
  obstacle(): AppError | null;
  /** Lets statements take five minutes while `work` runs, instead of four seconds. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** `isOffline`: no request waits for it, so its statements may take hours. */
type EmbeddedServerOptions = { launchLimitMs?: number; isOffline?: boolean };

/**
 * Starts the database process and restarts it whenever it ends or goes deaf. Resolves once it serves. Throws
 * {@link DataFolderInUseError}, or an error whose message is for the operator; then nothing is left running.
 */
export const startEmbeddedServer = async (
  dataDir: string,
  log: Log,
  { launchLimitMs = defaultLaunchLimitMs, isOffline = false }: EmbeddedServerOptions = {},
): Promise<EmbeddedServer> => {
  makeUsable(dataDir);
  const place = chooseSocketPlace(dataDir);
  let current: ChildProcess | null = null;
  let isReady = false;
  let watchdog: Watchdog | undefined;
  let verdict: string | null = null;
  let patientWorks = 0;
  let restarts = 0;
  let isStopping = false;
  const pause = createRestartPause(log);
  const space = watchFreeSpace(dataDir, () => pause.onFreeSpace(space.isLow));

  const onReady = (child: ChildProcess): void => {
    isReady = true;
    watchdog = startWatchdog({
      ping: () => child.send({ type: "ping" }),
      isPatient: () => patientWorks > 0,
      isOffline,
      onVerdict: (reason) => {
        verdict = reason;
        child.kill();
      },
    });
  };

  const launch = (limitMs: number): Promise<Launch> =>
    new Promise((resolve) => {
      verdict = null;
      const args = { dataDir, socketPath: place.path, seedFile: findSeed(), parentPid: process.pid };
      const child = startChild(args, (message) => {
        if (message.type === "ready") onReady(child);
        else if (message.type === "pong") watchdog?.onPong(message.rssBytes);
        else if (message.type === "idle-transaction") log.error(idleTransactionText);
        else if (message.type === "broken") verdict = message.reason;
        // From here on the watchdog looks after it.
        clearTimeout(tooSlow);
        resolve({ child, outcome: message });
      });
      current = child;
      const tooSlow = setTimeout(child.kill, limitMs);
      child.exited.then((reason) => {
        clearTimeout(tooSlow);
        watchdog?.stop();
        isReady = false;
        resolve({ child, outcome: { type: "exited", reason } });
      });
    });

  const relaunch = async (failuresBefore: number): Promise<ChildProcess | null> => {
    for (let failures = failuresBefore; ; failures += 1) {
      await pause.wait(failures, space.isLow);
      if (isStopping) return null;
      // Longer each time, so that a recovery which needs its time gets it in the end.
      const { child, outcome } = await launch(Math.min(relaunchLimitMs * 2 ** failures, launchLimitMs));
      if (outcome.type === "ready") return child;
      await child.exited;
      if (!isStopping) log.error("the embedded database could not be restarted", outcome);
    }
  };

  const keepRunning = async (first: ChildProcess): Promise<void> => {
    for (let child: ChildProcess | null = first; child !== null; ) {
      const readyAt = performance.now();
      const reason = await child.exited;
      if (isStopping) return;
      log.error("the embedded database stopped and is being restarted", { reason: verdict ?? reason });
      restarts += 1;
      child = await relaunch(performance.now() - readyAt < shortLifeMs ? 1 : 0);
      if (child) log.info("the embedded database is back");
    }
  };

  const stop = async (): Promise<void> => {
    isStopping = true;
    pause.end();
    space.stop();
    watchdog?.stop();
    if (isReady) current?.send({ type: "close" });
    else current?.kill();
    const tooSlow = setTimeout(() => current?.kill(), closeLimitMs);
    await current?.exited;
    clearTimeout(tooSlow);
    place.remove();
  };

  const { child, outcome } = await launch(launchLimitMs);
  if (outcome.type !== "ready") {
    await stop();
    throw launchError(dataDir, outcome);
  }
  void keepRunning(child);

  return {
    socketPath: place.path,
    get pid() {
      return isReady && current ? current.pid : null;
    },
    get restarts() {
      return restarts;
    },
    obstacle: () => {
      if (space.isLow) return new AppError("STORAGE_FULL");
      return isReady ? null : new AppError("DB_UNAVAILABLE", undefined, { retryAfterS: 1 });
    },
    patiently: async (work) => {
      patientWorks += 1;
      try {
        return await work();
      } finally {
        patientWorks -= 1;
      }
    },
    stop,
  };
};

/** What the first message of a process was, or how it ended without one. */
type LaunchOutcome = FromChild | { type: "exited"; reason: string };
type Launch = { child: ChildProcess; outcome: LaunchOutcome };

const launchError = (dataDir: string, outcome: LaunchOutcome): Error => {
  if (outcome.type === "in-use") return new DataFolderInUseError(dataDir, outcome.pid);
  if (outcome.type === "unusable")
    return outcome.isFinal ? new UnfitDatabaseError(outcome.text) : new DatabaseUnusableError(outcome.text);
  const reason = "reason" in outcome ? outcome.reason : outcome.type;
  return new DatabaseUnusableError(`The embedded database in ${dataDir} could not be opened: ${reason}`);
};

const idleTransactionText =
  "a transaction was ended because it kept the embedded database waiting; inside a transaction, only the transaction may be used";

const defaultLaunchLimitMs = 5 * 60 * 1000;
const relaunchLimitMs = 20_000;
const closeLimitMs = 5000;
// A process that lives shorter than this ended for a reason that will still be there.
const shortLifeMs = 10_000;

/** Where the database process listens. */
type SocketPlace = { path: string; remove(): void };

/** The data folder, or a private temporary one where its path is too long for a socket. */
const chooseSocketPlace = (dataDir: string): SocketPlace => {
  const path = join(dataDir, "database.sock");
  // In the data folder only the holder of its lock may remove it, and that is the database process: from here it
  // could be the socket of another server that has just taken the folder.
  if (Buffer.byteLength(path) <= longestPathBytes) return { path, remove: () => {} };
  const folder = mkdtempSync(join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), "atrium-"));
  const shortPath = join(folder, "database.sock");
  return { path: shortPath, remove: () => rmSync(dirname(shortPath), { recursive: true, force: true }) };
};

/** `sun_path` without its last zero: 107 on Linux, 103 on macOS. */
const longestPathBytes = 103;

/** How long to wait before the database process is started again. */
export type RestartPause = {
  /** Resolves when the next start is due, after `failures` that came quickly one after another. */
  wait(failures: number, isSpaceLow: boolean): Promise<void>;
  /** Takes the latest measurement: a start that waits for free space happens as soon as there is some. */
  onFreeSpace(isLow: boolean): void;
  /** Ends the wait immediately. */
  end(): void;
};

/** The first restart is immediate, the next ones wait longer each time; on a full disk they wait for free space. */
export const createRestartPause = (log: Log): RestartPause => {
  let resume: (() => void) | null = null;
  let isForSpace = false;

  const end = (): void => resume?.();

  return {
    wait: async (failures, isSpaceLow) => {
      if (failures === 0) return;
      isForSpace = isSpaceLow;
      if (isForSpace) log.error("the disk is full: the embedded database is waiting for free disk space");
      const pauseMs = isForSpace ? longestMs : Math.min(shortestMs * 2 ** (failures - 1), longestMs);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      resume = null;
    },
    onFreeSpace: (isLow) => {
      if (isForSpace && !isLow) end();
    },
    end,
  };
};

const shortestMs = 100;
const longestMs = 15_000;

/** A database process that has been started. */
type ChildProcess = {
  readonly pid: number;
  send(message: ToChild): void;
  kill(): void;
  /** Resolves when it is gone, to what is known of the reason. */
  readonly exited: Promise<string>;
};

/** Starts the database process of this program, from source or from the executable. */
const startChild = (args: ChildArguments, onMessage: (message: FromChild) => void): ChildProcess => {
  const entry = isExecutable ? databaseSubcommand : join(import.meta.dir, "child-entry.ts");
  const child = Bun.spawn([process.execPath, entry, JSON.stringify(args)], {
    // Not the caller's folder, whose .env and bunfig.toml are none of its business.
    cwd: args.dataDir,
    env: childEnvironment(),
    stdio: ["ignore", "ignore", "pipe"],
    ipc: (message) => onMessage(asFromChild(message)),
    serialization: "json",
  });
  const printed = readEnd(child.stderr);
  return {
    pid: child.pid,
    send: (message) => {
      // What is sent to a process that is just ending is lost with it; `exited` reports that.
      if (child.exitCode === null && !child.killed) child.send(message);
    },
    kill: () => child.kill("SIGKILL"),
    exited: child.exited.then(async (code) => {
      const words = crashReason(await printed);
      return `${child.signalCode ?? `exit code ${code}`}${words ? `: ${words}` : ""}`;
    }),
  };
};

/** It gets no secrets, and one pool of memory a thread less: it has one thread that matters. */
const childEnvironment = (): Record<string, string> => {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), MALLOC_ARENA_MAX: "2" };
};

/** The end of what it printed, in whole lines; read all along, because a full pipe would stop it. */
const readEnd = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let end = "";
  for await (const chunk of stream) {
    end += decoder.decode(chunk, { stream: true });
    if (end.length > longestEnd) end = end.slice(-longestEnd).replace(/^.*\n/, "");
  }
  return end;
};

const longestEnd = 16_000;

/** Decides when a database process has to be killed. */
export type Watchdog = {
  /** The process answered. */
  onPong(rssBytes: number): void;
  stop(): void;
};

type WatchdogOptions = {
  ping(): void;
  /** Whether a statement is running that is known to take long. */
  isPatient(): boolean;
  /** Whether no request waits for the process: then it may be unresponsive for as long as the largest index takes to build. */
  isOffline?: boolean;
  /** Called once. */
  onVerdict(reason: string): void;
};

/**
 * Pings a database process, and condemns it when it has been deaf for too long or grows without bounds. The engine
 * cannot interrupt a statement, so the limit is the longest that a statement may take.
 */
export const startWatchdog = ({
  ping,
  isPatient,
  isOffline = false,
  onVerdict,
}: WatchdogOptions): Watchdog => {
  // Counted, not timed: after a pause of this process the answer may be waiting to be read.
  let unanswered = 0;
  const timer = setInterval(() => {
    const servedLimitMs = isPatient() ? patientLimitMs : deafLimitMs;
    const limitMs = isOffline ? offlineLimitMs : servedLimitMs;
    if (unanswered * pingEveryMs >= limitMs) return condemn(`unresponsive for ${limitMs / 1000} s`);
    unanswered += 1;
    ping();
  }, pingEveryMs);

  const condemn = (reason: string): void => {
    clearInterval(timer);
    onVerdict(reason);
  };

  return {
    onPong: (rssBytes) => {
      unanswered = 0;
      if (rssBytes > memoryLimitBytes) condemn(`using ${Math.round(rssBytes / 1024 / 1024)} MB`);
    },
    stop: () => clearInterval(timer),
  };
};

const pingEveryMs = 500;
const deafLimitMs = 4000;
const patientLimitMs = 5 * 60 * 1000;
const offlineLimitMs = 6 * 60 * 60 * 1000;
const memoryLimitBytes = 1.5 * 1024 * 1024 * 1024;
