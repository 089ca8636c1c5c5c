import { join } from "node:path";
import { visitorsHappenings } from "#api/core/events.ts";
import { isExecutable } from "#api/db/bundled-files.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import {
  type HostFault,
  hostFaultNames,
  InvocationError,
  type PluginProgram,
  type PluginRuntime,
  type Registration,
  type RuntimeFailure,
  type RuntimeHost,
  SlowStartError,
} from "../runtime.ts";
import { type Channel, type ChannelEvents, createChannel, type Frame } from "./channel.ts";
import { channelDescriptor, type FromChild, pluginSubcommand, type Task, type ToChild } from "./messages.ts";
import { type ProcessWork, processMemory, processWork } from "./process-memory.ts";
import { isText, readFromChild, readObject, readRegistration } from "./read-from-child.ts";
import { sandboxLimits } from "./sandbox-limits.ts";
import { createAllowance, createTasks } from "./tasks.ts";

/** A plugin whose process runs and whose setup is done. */
export type LaunchedPlugin = Pick<PluginRuntime, "registration" | "isolation" | "memoryBytes"> & {
  /** Runs a task in the process within `limitMs` by its own clock. Rejects with {@link InvocationError}. */
  run(task: Task, handler: string, json: string, limitMs: number): Promise<Json | undefined>;
  /** Ends the process, which is no failure. */
  end(): Promise<void>;
};

/**
 * Starts a plugin's process and its program in it. Nothing that the process sends is trusted before it was checked: an
 * invalid message ends it as a violation. Rejects with an `Error` for admins.
 */
export const launch = async (
  command: PluginCommand,
  program: PluginProgram,
  host: RuntimeHost,
): Promise<LaunchedPlugin> => {
  if (Buffer.byteLength(program.source) > sandboxLimits.sourceBytes)
    throw new Error(`The backend is larger than ${sandboxLimits.sourceBytes / 1e6} MB`);
  const launched = Promise.withResolvers<Registration>();
  launched.promise.catch(() => {});
  let state: "booting" | "starting" | "running" | "ended" = "booting";
  let isolation: PluginRuntime["isolation"] = "process";
  let registered = "";
  let toldRssBytes: number | null = null;
  let heartbeat: Heartbeat | undefined;
  let lastTask = 0;
  let registration: Registration | null = null;
  const waiting = new Map<number, PromiseWithResolvers<Json | undefined> & { handler: string }>();
  const lines = createAllowance(pluginLimits.logLinesAMinute * slack, 60_000);
  const recoveries = createAllowance(sandboxLimits.recoveriesAMinute * slack, 60_000);
  const tasks = createTasks(() => end("hang", "It never reported the outcome of a call"));
  let child: PluginProcess | null = null;

  /** Whether visitors can cause a handler to run: a route, or a listener for what every visitor can cause. */
  const isCalled = (handler: string | null): boolean =>
    registration?.routes.some((route) => route.handler === handler) === true ||
    registration?.listeners.some(
      (listener) => listener.handler === handler && visitorsHappenings.includes(listener.event),
    ) === true;

  /** Ends the process permanently; a plugin that is still starting has failed to start. */
  const end = (
    kind: RuntimeFailure["kind"],
    reason: string,
    { handler = null, isStarved = false }: { handler?: string | null; isStarved?: boolean } = {},
  ): void => {
    if (state === "ended") return;
    const wasRunning = state === "running";
    // If a process crashes, it is unknown which of its calls caused it.
    const hasCaller = [handler, ...[...waiting.values()].map((task) => task.handler)].some(isCalled);
    leave(reason, "crashed", (called) => !isStarved && (handler === null || called === handler));
    const why = { kind, reason: reason + placeOf(registration, handler), isExcused: hasCaller || isStarved };
    if (wasRunning) host.failed({ ...why, hasRecovered: false });
    else launched.reject(new Error(reason));
  };

  /** Rejects open calls: those that caused it with `kind`, the others with `unavailable`. */
  const leave = (
    reason: string,
    kind: InvocationError["kind"],
    hasDoneIt: (handler: string | null) => boolean = () => true,
  ): void => {
    state = "ended";
    clearTimeout(tooSlow);
    heartbeat?.stop();
    tasks.clear();
    child?.channel.close();
    child?.kill();
    for (const { handler, reject } of waiting.values())
      reject(new InvocationError(hasDoneIt(handler) ? kind : "unavailable", reason));
    waiting.clear();
  };

  const violate = (what: string): void => end("violation", `Its process broke the rules: ${what}`);

  const send = (message: ToChild, body?: string): void => {
    child?.channel.send(JSON.stringify(message), body);
    if ((child?.channel.unreadBytes ?? 0) > sandboxLimits.unreadBytes)
      end("hang", "It did not read what it was sent");
  };

  const calls = createHostCalls(host, send);

  const onStarted = (body: unknown): Offence => {
    registration = readRegistration(body, program);
    if (registration === null) return "its registration is malformed";
    state = "running";
    clearTimeout(tooSlow);
    registered = JSON.stringify(registration);
    heartbeat = startHeartbeat({
      ping: (id) => send({ type: "ping", id }),
      residentBytes: () => processMemory(child?.pid ?? 0)?.residentBytes ?? toldRssBytes,
      work: () => processWork(child?.pid ?? 0),
      onVerdict: end,
    });
    launched.resolve(registration);
    return null;
  };

  const onRecovered = (
    { kind, reason, handler }: Extract<FromChild, { type: "recovered" }>,
    body: unknown,
  ): Offence => {
    if (!recoveries.take(1)) return "it recreated its interpreter too often";
    const again = readRegistration(body, program);
    if (JSON.stringify(again) !== registered) {
      // It may have good reasons, such as new settings; but its registration was not checked.
      end("crash", "It registered something else in a new interpreter", { handler });
      return null;
    }
    host.failed({
      ...{ kind, reason: reason + placeOf(registration, handler) },
      ...{ hasRecovered: true, isExcused: isCalled(handler) },
    });
    return null;
  };

  const settle = (id: number, how: (task: PromiseWithResolvers<Json | undefined>) => void): Offence => {
    const task = waiting.get(id);
    if (task === undefined) return "it responded to a call that was not made";
    waiting.delete(id);
    tasks.finish(id);
    how(task);
    return null;
  };

  /** Messages of the start, which come once. */
  const onStarting = (message: FromChild, body: unknown): Offence => {
    if (message.type === "ready" && state === "booting") {
      state = "starting";
      isolation = message.isolation;
      send({ type: "start" }, JSON.stringify(program));
      return null;
    }
    if (message.type === "started" && state === "starting") return onStarted(body);
    if (message.type !== "refused" || state !== "starting")
      return `the message ${message.type} came too early`;
    if (message.isSlow) launched.reject(new SlowStartError(message.reason));
    end("crash", message.reason);
    return null;
  };

  const onRunning = (message: FromChild, body: unknown): Offence => {
    if (message.type === "result") return settle(message.id, ({ resolve }) => resolve(asJson(body)));
    if (message.type === "failure") {
      const error = new InvocationError(message.kind, message.reason, { cause: message.stack });
      return settle(message.id, ({ reject }) => reject(error));
    }
    if (message.type === "recovered") return onRecovered(message, body);
    if (message.type === "pong") {
      toldRssBytes = message.rssBytes;
      return heartbeat?.onPong(message.id) ? null : "it responded to a call that was not made";
    }
    if (message.type !== "broken") return `the message ${message.type} came too late`;
    end(message.kind, message.reason, message);
    return null;
  };

  /** The rule between server and process that a frame broke. */
  const receive = (frame: Frame): Offence => {
    const read = readFromChild(frame);
    if (read === null) return "a message is malformed";
    const { message, body } = read;
    if (message.type === "call" && state !== "booting")
      return calls.take(message, {
        ...{ args: body, sizeBytes: frame.body.length, hasCaller: isCalled(message.handler) },
      });
    if (message.type === "log" && state !== "booting") {
      if (!lines.take(1)) return "it wrote too many lines";
      host.log(message.level, message.message);
      return null;
    }
    return state === "running" ? onRunning(message, body) : onStarting(message, body);
  };

  // The process enforces the limits of a setup itself: one that is silent for so long got no CPU time.
  const tooSlow = setTimeout(() => {
    const reason = `Its process did not start within ${startMs} ms`;
    launched.reject(new SlowStartError(reason));
    end("hang", reason);
  }, startMs);
  child = await startPluginProcess(command, {
    maxBodyBytes: sandboxLimits.callBytes,
    onFrame: (frame) => {
      const offence = receive(frame);
      if (offence !== null) violate(offence);
    },
    onOversized: () => violate("a message is too large"),
    onEnd: (error) => {
      // Otherwise the process has ended or is about to, and reports the reason; one that only disconnected will be
      // noticed.
      if (error !== undefined) end("crash", `Its message could not be processed: ${error.message}`);
    },
  });
  const { pid, exited, channel } = child;
  void exited.then((reason) => end("crash", `Its process ended (${reason})`));
  channel.open();

  return {
    registration: await launched.promise,
    isolation,
    memoryBytes: () => processMemory(pid)?.privateBytes ?? toldRssBytes,
    run: (task, handler, json, limitMs) => {
      if (state !== "running") return Promise.reject(new InvocationError("unavailable", "It is not running"));
      lastTask += 1;
      const result = Promise.withResolvers<Json | undefined>();
      waiting.set(lastTask, { ...result, handler });
      // It may have to wait for a new interpreter first.
      tasks.add(lastTask, limitMs + pluginLimits.setupMs + sandboxLimits.lateMs);
      send({ type: "run", id: lastTask, task, handler }, json);
      return result.promise;
    },
    end: async () => {
      if (state !== "ended") leave("It was ended", "unavailable");
      await exited;
    },
  };
};

/** The name of a handler, after a sentence; nothing if unknown. */
const placeOf = (registration: Registration | null, handler: string | null): string => {
  const { routes = [], jobs = [], listeners = [] } = registration ?? {};
  const route = routes.find((one) => one.handler === handler);
  if (route !== undefined) return ` in ${route.method} ${route.path}`;
  const job = jobs.find((one) => one.handler === handler);
  if (job !== undefined) return ` in the job ${job.name}`;
  const listener = listeners.find((one) => one.handler === handler);
  return listener === undefined ? "" : ` in its listener for ${listener.event}`;
};

const startMs = sandboxLimits.bootMs + pluginLimits.setupMs;

/** It was parsed from JSON, or there was none. */
const asJson = (value: unknown): Json | undefined => value as Json | undefined;

// The process counts by its own clock; an honest one never gets near three times its limit.
const slack = 3;

/** How a process broke the protocol, or `null`. */
type Offence = string | null;

/** Calls of the host by a plugin's process. */
type HostCalls = {
  /** Executes a call of the host, and sends its result. */
  take(
    call: Pick<HostCall, "id" | "op">,
    asked: { args: unknown; sizeBytes: number; hasCaller: boolean },
  ): Offence;
};

type HostCall = Extract<FromChild, { type: "call" }>;

/**
 * Handles calls of the host. The process enforces its plugin's limits itself, so that only a process that was taken
 * over can be far beyond them.
 */
const createHostCalls = (host: RuntimeHost, send: (message: ToChild, body?: string) => void): HostCalls => {
  const open = new Set<number>();
  const calls = createAllowance(pluginLimits.hostCallsASecond * slack, 1000);
  const bytes = createAllowance(sandboxLimits.callBytesASecond * slack, 1000);

  const refuse = (id: number, { name, message }: HostFault): void =>
    send({ type: "fault", id, name, message });

  const answer = async (id: number, asking: () => ReturnType<RuntimeHost["call"]>): Promise<void> => {
    try {
      const json = JSON.stringify(await asking());
      if (json !== undefined && Buffer.byteLength(json) > sandboxLimits.answerBytes)
        throw { name: "LIMIT_EXCEEDED", message: "The answer is too large" } satisfies HostFault;
      send({ type: "answer", id }, json);
    } catch (error) {
      refuse(id, readFault(error));
    } finally {
      open.delete(id);
    }
  };

  return {
    take: ({ id, op }, { args, sizeBytes, hasCaller }) => {
      if (!Array.isArray(args) || open.has(id)) return "a call is malformed";
      if (!calls.take(1) || !bytes.take(sizeBytes)) return "it called the host too often";
      // Calls of an abandoned interpreter may still run next to those of the new one.
      if (open.size >= pluginLimits.hostCallsAtOnce)
        refuse(id, { name: "LIMIT_EXCEEDED", message: "Too many calls are open at the same time" });
      else {
        open.add(id);
        void answer(id, () => host.call(op, args, hasCaller));
      }
      return null;
    },
  };
};

/** The host's refusal; anything else is an internal error, of which plugins get no details. */
const readFault = (error: unknown): HostFault => {
  const { name, message } =
    error instanceof Error ? { name: error.name, message: error.message } : (readObject(error) ?? {});
  const known = hostFaultNames.find((one) => one === name);
  return known !== undefined && isText(message, maxMessage)
    ? { name: known, message }
    : { name: "FAILED", message: "The host could not do this" };
};

/** A plugin's process that has been started. */
type PluginProcess = {
  readonly pid: number;
  readonly channel: Channel;
  kill(): void;
  /** Resolves when it is gone, to what is known of the reason. */
  readonly exited: Promise<string>;
};

/** The command that becomes a plugin's process; its parent's process id is appended. */
export type PluginCommand = readonly string[];

/** This program's own hidden subcommand. */
export const pluginCommand = (): PluginCommand =>
  isExecutable
    ? [process.execPath, pluginSubcommand]
    : [process.execPath, join(import.meta.dir, "child-entry.ts")];

/** Starts a plugin's process. It gets no environment, no folder of its own, and one descriptor to communicate over. */
const startPluginProcess = async (command: PluginCommand, events: ChannelEvents): Promise<PluginProcess> => {
  const child = Bun.spawn([...command, String(process.pid)], {
    cwd: "/",
    env: {},
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const crashReason = readLastWords(child.stderr);
  const exited = child.exited.then(async (code) => {
    // Only the error: around it the runtime prints a part of our own code.
    const [words] = /^(?:[A-Za-z]*Error|error|panic)\b.{0,200}/m.exec(await crashReason) ?? [];
    return `${child.signalCode ?? `exit code ${code}`}${words ? `: ${words}` : ""}`;
  });
  const kill = (): void => child.kill("SIGKILL");
  const descriptor = child.stdio[channelDescriptor];
  if (typeof descriptor !== "number") {
    kill();
    throw new Error("The plugin's process could not be started");
  }
  return { pid: child.pid, channel: await createChannel(descriptor, events), kill, exited };
};

/** The end of its output; read continuously, because a full pipe would stop it. */
const readLastWords = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let words = "";
  for await (const chunk of stream)
    words = (words + decoder.decode(chunk, { stream: true })).slice(-lastWordsLength);
  return words.trim();
};

const lastWordsLength = 2000;
const maxMessage = 2000;

/** Notices if a plugin's process hangs or grows too large. */
type Heartbeat = {
  /** Takes an answer; `false` if no question was open that it could belong to. */
  onPong(id: number): boolean;
  stop(): void;
};

type HeartbeatOptions = {
  ping(id: number): void;
  /** Memory of the process; `null` if unknown. */
  residentBytes(): number | null;
  /** CPU time of the process; `null` if unknown. */
  work(): ProcessWork | null;
  /** Called once; `isStarved`: the machine may have given it no CPU time. */
  onVerdict(kind: RuntimeFailure["kind"], reason: string, about: { isStarved: boolean }): void;
};

/**
 * Asks the process every 250 ms, and gives it up for its memory, or if it leaves questions open: for a second if it was
 * stopped, for two seconds of its own work, and for ten seconds if the machine gives it no time.
 */
export const startHeartbeat = ({ ping, residentBytes, work, onVerdict }: HeartbeatOptions): Heartbeat => {
  let lastPing = 0;
  let lastPong = 0;
  let workedFromMs: number | null = null;

  /** What its silence means; `null` while nothing can be said yet. */
  const judgeSilence = (): { silentMs: number; isStarved: boolean } | null => {
    // Counted, not timed: after a pause of this process, the answer may be waiting to be read.
    const silentMs = (lastPing - lastPong) * pluginLimits.heartbeatMs;
    const done = silentMs === 0 ? null : work();
    workedFromMs = silentMs === 0 ? null : (workedFromMs ?? done?.cpuMs ?? 0);
    if (silentMs < pluginLimits.heartbeatMissedMs) return null;
    const hasWorked = (done?.cpuMs ?? 0) - (workedFromMs ?? 0) >= sandboxLimits.silentWorkMs;
    const isStarved = !hasWorked && done?.isStopped !== true;
    return isStarved && silentMs < sandboxLimits.starvedMs ? null : { silentMs, isStarved };
  };

  const timer = setInterval(() => {
    const resident = residentBytes() ?? 0;
    const most = pluginLimits.processBytes;
    if (resident > most)
      return condemn("memory", `It used ${inMB(resident)} of ${inMB(most)} MB of memory`, {
        isStarved: false,
      });
    const silence = judgeSilence();
    if (silence !== null)
      return condemn("hang", `It did not respond for ${silence.silentMs / 1000} s`, silence);
    lastPing += 1;
    ping(lastPing);
  }, pluginLimits.heartbeatMs);

  const condemn: HeartbeatOptions["onVerdict"] = (...verdict) => {
    clearInterval(timer);
    onVerdict(...verdict);
  };

  return {
    onPong: (id) => {
      if (id <= lastPong || id > lastPing) return false;
      lastPong = id;
      return true;
    },
    stop: () => clearInterval(timer),
  };
};

const inMB = (bytes: number): number => Math.round(bytes / 1024 / 1024);
