import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { pluginLimits } from "#contract/plugins.ts";
import { createFacade, type FacadeProgram } from "../../facade.ts";
import type { PluginProgram, RuntimeFailure } from "../../runtime.ts";
import { sandboxLimits } from "../sandbox-limits.ts";
import { type CrossingLimits, connectPlugin, type PluginInVm } from "./connect-plugin.ts";
import { installBasics, installCrypto, installUrl } from "./install-globals.ts";
import {
  type CpuMeter,
  createCpuMeter,
  createInterpreter,
  createRejections,
  OutOfTimeError,
} from "./interpreter.ts";
import { exposeNatives, type NativeEvents } from "./natives.ts";

/** One interpreter with a plugin in it. Its results go to {@link VmEvents}. */
export type Vm = {
  /** Calls a function of {@link PluginInVm}: as task `id`, for those that begin one. */
  enter(what: keyof PluginInVm, id: number, ...texts: (string | undefined)[]): void;
  /** Whether a part of a task waits for CPU time. */
  isQueued(task: number): boolean;
  /** Abandons the interpreter. */
  poison(failure: Poison): void;
};

/** What a piece of the plugin's work belongs to: a task, which may already be over, and the handler that it invoked. */
type Cause = { task: number; handler: string | null };

/** Why an interpreter can't be used any more, and what caused it. */
export type Poison = { kind: RuntimeFailure["kind"]; reason: string; cause?: Cause };

export type VmEvents = Pick<NativeEvents, "onLog" | "onSuccess" | "onFailure"> & {
  onCall(id: number, op: string, args: string, cause: Cause): void;
  /**
   * Something used too much CPU time and was stopped midway, which left the plugin in a state that its author never
   * wrote. The interpreter itself is intact.
   */
  onExhausted(failure: Poison & { cause: Cause }): void;
  /** Called once; the interpreter does nothing any more. */
  onPoisoned(failure: Poison): void;
  /** Whether something waits for the plugin. */
  isAwaited(): boolean;
};

/**
 * Creates an interpreter and evaluates a plugin's bundle in it; its setup is the task `start`. Throws {@link
 * ProgramError} if the bundle can't be evaluated.
 */
export const createVm = async (
  module: WebAssembly.Module,
  program: PluginProgram,
  events: VmEvents,
): Promise<Vm> => {
  const meter = createCpuMeter();
  const rejections = createRejections(() => context);
  const interpreter = await createInterpreter(
    module,
    program.limits.memoryMB,
    meter.isLongOver,
    (rejection) => rejections.onRejection(rejection),
  );
  const runtime = interpreter.newRuntime();
  runtime.setMaxStackSize(sandboxLimits.stackBytes);
  runtime.setInterruptHandler(meter.isOver);
  const context = runtime.newContext();
  let isDead = false;
  let cause: Cause = { task: 0, handler: null };
  let isRunning = false;
  let spentMs = 0;
  const stretches: Stretch[] = [];
  let idleMs = 0;
  let idleSince = performance.now();

  // The code that calls the host or sets a timer is the cause of what follows from it.
  const causes = new Map<number, Cause>();
  const timers = createTimers<Cause>((id, by) => {
    perform(by, program.limits.cpuMs, () => callPlain(fire, context.newNumber(id)));
  });

  const poison = (failure: Poison): void => {
    if (isDead) return;
    isDead = true;
    timers.stopAll();
    events.onPoisoned(failure);
  };

  /** All entries into the plugin's code run one after the other, so that it is known what used the CPU. */
  const perform = (by: Cause, limitMs: number, work: () => void): void => {
    if (isDead) return;
    stretches.push({ cause: by, limitMs, usedMs: 0, work });
    if (isRunning) return;
    isRunning = true;
    goOn();
  };

  /** Works through the queue, and pauses after a slice of it: the process has to answer the server, too. */
  const goOn = (): void => {
    while (!isDead && spentMs < sandboxLimits.sliceMs) {
      const [next] = stretches;
      if (next === undefined) break;
      const startedAt = performance.now();
      if (isDone(next)) stretches.shift();
      spentMs += performance.now() - startedAt;
    }
    isRunning = !isDead && stretches.length > 0;
    if (!isRunning) return;
    setTimeout(() => {
      spentMs = 0;
      goOn();
    }, 1);
  };

  /**
   * Does a piece of work, and then the pending promise jobs; returns whether that was all. An exception through the
   * interpreter leaves it in an unknown state.
   */
  const isDone = (stretch: Stretch): boolean => {
    const { limitMs, work } = stretch;
    cause = stretch.cause;
    const wasAwaited = events.isAwaited();
    let isSettled = true;
    let thrown: unknown = null;
    try {
      meter.run(Math.max(1, limitMs - stretch.usedMs), () => {
        work();
        isSettled = settle();
      });
    } catch (error) {
      thrown = error;
    }
    stretch.usedMs += meter.lastMs;
    stretch.work = nothing;
    if (thrown !== null) poison({ ...poisonOf(thrown, stretch), cause });
    else if (isDead) return true;
    else if (meter.wasInterrupted) events.onExhausted({ kind: "cpu", reason: tooMuchCpu(stretch), cause });
    else if (!wasAwaited) charge(meter.lastMs);
    return isSettled;
  };

  /** Runs pending promise jobs for a slice of time; returns whether that was all. */
  const settle = (): boolean => {
    const startedAt = performance.now();
    while (!isDead && !meter.wasInterrupted) {
      if (!runtime.hasPendingJob()) {
        // Only now it is certain that nothing in the plugin handles them. Describing them runs the plugin's code.
        if (rejections.count === 0) return true;
        for (const reason of rejections.take()) callPlain(reject, reason);
        continue;
      }
      runtime.executePendingJobs(jobsAtOnce).dispose();
      if (!meter.isOver() && performance.now() - startedAt > sandboxLimits.sliceMs) return false;
    }
    return true;
  };

  const charge = (ms: number): void => {
    const now = performance.now();
    if (now - idleSince > sandboxLimits.idleWindowMs) {
      idleSince = now;
      idleMs = 0;
    }
    idleMs += ms;
    const { idleCpuMs, idleWindowMs } = sandboxLimits;
    if (idleMs > idleCpuMs)
      poison({
        kind: "cpu",
        reason: `${tooMuchCpu({ usedMs: idleMs, limitMs: idleCpuMs })} in ${idleWindowMs / 1000} s while no one was waiting for it`,
        cause,
      });
  };

  /** Calls a function of the sandbox's own; returns what it threw, which only happens if resources are exhausted. */
  const callPlain = (callee: QuickJSHandle, ...args: QuickJSHandle[]): string | null => {
    const result = context.callFunction(callee, context.undefined, ...args);
    for (const arg of args) arg.dispose();
    if (result.error) return describeThrown(context, result.error);
    result.value.dispose();
    return null;
  };

  const loaded = (): Loaded => {
    const natives: NativeEvents = {
      ...events,
      onCall: (id, op, args) => {
        causes.set(id, cause);
        meter.forgive(args.length / sandboxLimits.crossingCharactersAMs);
        events.onCall(id, op, args, cause);
      },
      // A stopped async function rejects, as if it had thrown something itself.
      onFailure: (id, json) => meter.wasInterrupted || events.onFailure(id, json),
      onStartTimer: (id, ms) => timers.start(id, ms, cause),
      onStopTimer: timers.stop,
    };
    try {
      return load(context, program, meter, natives);
    } catch (error) {
      isDead = true;
      timers.stopAll();
      throw error;
    }
  };
  const { fire, reject, functions, definition } = loaded();

  return {
    enter: (what, id, ...texts) => {
      const isTask = what !== "answer" && what !== "refuse";
      const by = isTask
        ? { task: id, handler: what === "invoke" ? (texts[0] ?? null) : null }
        : (causes.get(id) ?? cause);
      if (!isTask) causes.delete(id);
      perform(by, what === "start" ? sandboxLimits.setupCpuMs : program.limits.cpuMs, () => {
        const given = texts.flatMap((text) => (text === undefined ? [] : [context.newString(text)]));
        const args = what === "start" ? [definition.dup()] : given;
        const thrown = callPlain(functions[what], context.newNumber(id), ...args);
        if (isTask && thrown !== null && !meter.wasInterrupted)
          events.onFailure(id, JSON.stringify([thrown, ""]));
      });
    },
    isQueued: (task) => stretches.some((stretch) => stretch.cause.task === task && stretch.usedMs === 0),
    poison,
  };
};

/** Work of the plugin that nothing waits for, and its CPU time so far. */
type Stretch = { cause: Cause; limitMs: number; usedMs: number; work: () => void };

type Loaded = {
  fire: QuickJSHandle;
  reject: QuickJSHandle;
  functions: Record<keyof PluginInVm, QuickJSHandle>;
  definition: QuickJSHandle;
};

/** Evaluates the sandbox's own code, and then the plugin's. */
const load = (
  context: QuickJSContext,
  program: PluginProgram,
  meter: CpuMeter,
  events: NativeEvents,
): Loaded => {
  try {
    const own = meter.run(sandboxLimits.setupCpuMs, () => loadOwn(context, program, events));
    const definition = meter.run(sandboxLimits.setupCpuMs, () =>
      evaluateModule(context, program.source, `${program.name}.js`),
    );
    return { ...own, definition };
  } catch (error) {
    const used = { usedMs: meter.lastMs, limitMs: sandboxLimits.setupCpuMs };
    if (meter.wasInterrupted) throw new ProgramError(tooMuchCpu(used));
    if (error instanceof ProgramError) throw error;
    throw new ProgramError(`The backend can't run: ${poisonOf(error, used).reason}`);
  }
};

const loadOwn = (
  context: QuickJSContext,
  program: PluginProgram,
  events: NativeEvents,
): Omit<Loaded, "definition"> => {
  const natives = exposeNatives(context, events);
  const json = (value: unknown): QuickJSHandle => evaluate(context, `(${JSON.stringify(value)})`);
  const own = (made: (...args: never[]) => unknown): QuickJSHandle => evaluate(context, `(${made})`);
  const basics = callIn(
    context,
    own(installBasics),
    natives,
    json({ timers: sandboxLimits.timers, text: pluginLimits.logLineLength }),
  );
  callIn(context, own(installUrl), natives);
  callIn(context, own(installCrypto), natives);
  const { name, version, permissions, replica, settings } = program;
  const facts: FacadeProgram = { name, version, permissions, replica, settings, most: pluginLimits };
  const plugin = callIn(
    context,
    own(connectPlugin),
    natives,
    own(createFacade),
    // As data: settings may have a key `__proto__`.
    callIn(context, evaluate(context, "JSON.parse"), context.newString(JSON.stringify(facts))),
    json(crossing),
  );
  const functionOf = (what: keyof PluginInVm): QuickJSHandle => context.getProp(plugin, what);
  return {
    fire: context.getProp(basics, "fire"),
    reject: context.getProp(basics, "reject"),
    functions: {
      start: functionOf("start"),
      invoke: functionOf("invoke"),
      run: functionOf("run"),
      answer: functionOf("answer"),
      refuse: functionOf("refuse"),
    },
  };
};

const crossing: CrossingLimits = {
  call: sandboxLimits.callBytes,
  result: sandboxLimits.invocationBytes,
  text: pluginLimits.logLineLength,
  calls: pluginLimits.hostCallsAtOnce,
};

type Used = { usedMs: number; limitMs: number };

const poisonOf = (error: unknown, used: Used): Poison => {
  if (error instanceof OutOfTimeError) return { kind: "cpu", reason: tooMuchCpu(used) };
  if (error instanceof RangeError) return { kind: "crash", reason: "It nested something too deeply" };
  return { kind: "crash", reason: "It crashed the interpreter" };
};

const tooMuchCpu = ({ usedMs, limitMs }: Used): string =>
  `It used ${Math.ceil(usedMs)} of ${limitMs} ms of CPU time`;

const nothing = (): void => {};

const jobsAtOnce = 16;

/** The plugin's own code prevents it from running; the message is for its author. */
export class ProgramError extends Error {}

/** The value of one of the sandbox's own expressions. */
const evaluate = (context: QuickJSContext, expression: string): QuickJSHandle =>
  context.unwrapResult(context.evalCode(expression, "sandbox.js"));

/** Calls one of the sandbox's own functions with handles. */
const callIn = (context: QuickJSContext, callee: QuickJSHandle, ...args: QuickJSHandle[]): QuickJSHandle =>
  context.unwrapResult(context.callFunction(callee, context.undefined, ...args));

/** Runs a bundle's module; returns its default export, or `undefined` if it has none. Throws {@link ProgramError}. */
const evaluateModule = (context: QuickJSContext, source: string, file: string): QuickJSHandle => {
  const result = context.evalCode(source, file, { type: "module" });
  if (result.error) throw new ProgramError(reasonOf(context, result.error));
  const state = context.getPromiseState(result.value);
  if (state.type === "pending") throw new ProgramError("The backend awaits something outside its functions");
  if (state.type === "rejected") throw new ProgramError(reasonOf(context, state.error));
  return context.getProp(state.value, "default");
};

const reasonOf = (context: QuickJSContext, error: QuickJSHandle): string => {
  const said = describeThrown(context, error);
  const missing = /could not load module '([^']*)'/.exec(said)?.[1];
  return missing === undefined
    ? `The backend can't run: ${said}`
    : `The backend imports ${missing.slice(0, 100)}: it must be one file without imports`;
};

/** What was thrown in the interpreter, on one line. The handle is disposed. */
const describeThrown = (context: QuickJSContext, error: QuickJSHandle): string => {
  const thrown: unknown = error.consume((handle) => context.dump(handle));
  if (typeof thrown !== "object" || thrown === null) return String(thrown).slice(0, maxLength);
  const { name, message, stack } = thrown as { name?: unknown; message?: unknown; stack?: unknown };
  const place = typeof stack === "string" ? pluginFrame.exec(stack)?.[0] : undefined;
  return `${name ?? "Error"}: ${message ?? ""}${place ? ` (${place})` : ""}`.slice(0, maxLength);
};

const maxLength = 1000;
/** The first location in the plugin's own file: locations in ours don't help its author. */
const pluginFrame = /(?<![\w.-])(?!sandbox\.js:)[\w.-]+\.js:\d+(?::\d+)?/;

/** The timers of one interpreter, which knows them by number. */
type Timers<T> = {
  start(id: number, ms: number, about: T): void;
  stop(id: number): void;
  stopAll(): void;
};

/** `onFire` is called with the timer's number and its payload when it is due. */
const createTimers = <T>(onFire: (id: number, about: T) => void): Timers<T> => {
  const running = new Map<number, NodeJS.Timeout>();
  return {
    start: (id, ms, about) => {
      clearTimeout(running.get(id));
      const timer = setTimeout(() => {
        running.delete(id);
        onFire(id, about);
      }, ms);
      running.set(id, timer);
    },
    stop: (id) => {
      clearTimeout(running.get(id));
      running.delete(id);
    },
    stopAll: () => {
      for (const timer of running.values()) clearTimeout(timer);
      running.clear();
    },
  };
};
