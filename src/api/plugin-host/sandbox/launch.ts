import { visitorsHappenings } from "#api/core/happenings.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json } from "#plugins/sdk/types.ts";
import {
  InvocationError,
  type PluginProgram,
  type PluginRuntime,
  type Registration,
  type RuntimeFailure,
  type RuntimeHost,
  SlowStartError,
} from "../runtime.ts";
import { createAllowance } from "./allowance.ts";
import { type PluginCommand, type PluginProcess, startPluginProcess } from "./child-process.ts";
import type { Frame } from "./frames.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import { createHostCalls, type Offence } from "./host-calls.ts";
import type { FromChild, Task, ToChild } from "./messages.ts";
import { processMemory, processWork } from "./process-memory.ts";
import { readFromChild } from "./read-from-child.ts";
import { readRegistration } from "./read-registration.ts";
import { sandboxLimits } from "./sandbox-limits.ts";
import { createTasks } from "./tasks.ts";

/** A plugin whose process runs and whose set-up is done. */
export type LaunchedPlugin = Pick<PluginRuntime, "registration" | "isolation" | "memoryBytes"> & {
  /** Has the process do something within `limitMs` by its own clock. Rejects with {@link InvocationError}. */
  run(task: Task, handler: string, json: string, limitMs: number): Promise<Json | undefined>;
  /** Ends the process, which is no failure. */
  end(): Promise<void>;
};

/**
 * Starts a plugin's process and its program in it. Nothing that the process says is believed before it was looked at:
 * what does not fit ends it as a violation. Rejects with an `Error` for admins.
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
  const tasks = createTasks(() => end("hang", "It never told what became of a call"));
  let child: PluginProcess | null = null;

  /** Whether a handler runs at a visitor's will: a route, or a listener for what every visitor can bring about. */
  const isCalled = (handler: string | null): boolean =>
    registration?.routes.some((route) => route.handler === handler) === true ||
    registration?.listeners.some(
      (listener) => listener.handler === handler && visitorsHappenings.includes(listener.event),
    ) === true;

  /** Ends the process for good; a plugin that is still starting has failed to start. */
  const end = (
    kind: RuntimeFailure["kind"],
    reason: string,
    { handler = null, isStarved = false }: { handler?: string | null; isStarved?: boolean } = {},
  ): void => {
    if (state === "ended") return;
    const wasRunning = state === "running";
    // Of a process that goes down nobody can tell which of its calls did it.
    const hasCaller = [handler, ...[...waiting.values()].map((task) => task.handler)].some(isCalled);
    leave(reason, "crashed", (called) => !isStarved && (handler === null || called === handler));
    const why = { kind, reason: reason + placeOf(registration, handler), isExcused: hasCaller || isStarved };
    if (wasRunning) host.failed({ ...why, hasRecovered: false });
    else launched.reject(new Error(reason));
  };

  /** Rejects what waits: what did it with `kind`, what only was there with `unavailable`. */
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
    if (registration === null) return "its registration has not the form of one";
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
    if (!recoveries.take(1)) return "it made its interpreter anew too often";
    const again = readRegistration(body, program);
    if (JSON.stringify(again) !== registered) {
      // It may have good reasons, such as new settings; but nobody has looked at what it registered.
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
    if (task === undefined) return "it answered what it was not asked";
    waiting.delete(id);
    tasks.finish(id);
    how(task);
    return null;
  };

  /** What belongs to the start, and comes once. */
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
      return heartbeat?.onPong(message.id) ? null : "it answered what it was not asked";
    }
    if (message.type !== "broken") return `the message ${message.type} came too late`;
    end(message.kind, message.reason, message);
    return null;
  };

  /** What the frame broke of the rules between server and process. */
  const receive = (frame: Frame): Offence => {
    const read = readFromChild(frame);
    if (read === null) return "a message has not the form of one";
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

  // The process keeps the limits of a set-up itself: one that says nothing for so long did not get its turn.
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
      // Otherwise the process has ended or is about to, and tells of what; one that only hung up will be missed.
      if (error !== undefined) end("crash", `What it said could not be taken in: ${error.message}`);
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

/** What a handler is, behind a sentence; nothing where nobody knows. */
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

// The process counts by its own clock; nothing honest comes near three times what it may send.
const slack = 3;
