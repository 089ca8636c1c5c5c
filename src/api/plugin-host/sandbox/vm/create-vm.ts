import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { pluginLimits } from "#contract/plugins.ts";
import { createFacade, type FacadeProgram } from "../../facade.ts";
import type { PluginProgram, RuntimeFailure } from "../../runtime.ts";
import { type CpuMeter, createCpuMeter } from "../cpu-meter.ts";
import { sandboxLimits } from "../sandbox-limits.ts";
import { type CrossingLimits, connectPlugin, type PluginInVm } from "./connect-plugin.ts";
import { callIn, describeThrown, evaluate, evaluateModule, ProgramError } from "./evaluate.ts";
import { exposeNatives, type NativeEvents } from "./expose-natives.ts";
import { installBasics } from "./install-basics.ts";
import { installCrypto } from "./install-crypto.ts";
import { installUrl } from "./install-url.ts";
import { createInterpreter, OutOfTimeError } from "./interpreter.ts";
import { createRejections } from "./rejections.ts";
import { createTimers } from "./timers.ts";

/** One interpreter with a plugin in it. What it comes to is told through {@link VmEvents}. */
export type Vm = {
  /** Calls a function of {@link PluginInVm}: as task `id`, for those that begin one. */
  enter(what: keyof PluginInVm, id: number, ...texts: (string | undefined)[]): void;
  /** Whether it has something to do by itself, without waiting for anybody. */
  hasWork(): boolean;
  /** Gives the interpreter up. */
  poison(failure: Poison): void;
};

/** Why an interpreter cannot be used any more. */
export type Poison = { kind: RuntimeFailure["kind"]; reason: string };

export type VmEvents = Pick<NativeEvents, "onLog" | "onCall" | "onSuccess" | "onFailure"> & {
  /** A task was stopped because it used too much of the processor at once. */
  onInterrupted(id: number): void;
  /** Called once; the interpreter does nothing any more. */
  onPoisoned(failure: Poison): void;
  /** Whether somebody waits for the plugin. */
  isAwaited(): boolean;
};

/**
 * Makes an interpreter and evaluates a plugin's bundle in it; its set-up is the task `start`. Throws
 * {@link ProgramError} when the bundle cannot be evaluated.
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
  let isPumping = false;
  let idleMs = 0;
  let idleSince = performance.now();

  const timers = createTimers((id) => {
    guarded(program.limits.cpuMs, () => callPlain(fire, context.newNumber(id)));
    pump();
  });

  const poison = (failure: Poison): void => {
    if (isDead) return;
    isDead = true;
    timers.stopAll();
    events.onPoisoned(failure);
  };

  /**
   * Every way into the plugin's code; `interrupted` is called before the interpreter is given up for too long a piece of
   * work. What is thrown through the interpreter leaves it in a state nobody knows, and what is stopped half-way leaves the
   * plugin in one that its author never wrote.
   */
  const guarded = (limitMs: number, work: () => void, interrupted = () => {}): void => {
    if (isDead) return;
    const wasAwaited = events.isAwaited();
    try {
      meter.run(limitMs, work);
    } catch (error) {
      poison(poisonOf(error));
      return;
    }
    if (!wasAwaited) charge(meter.lastMs);
    if (isDead || !meter.wasInterrupted) return;
    interrupted();
    poison({ kind: "cpu", reason: tooMuchCpu(limitMs) });
  };

  const charge = (ms: number): void => {
    const now = performance.now();
    if (now - idleSince > sandboxLimits.idleWindowMs) {
      idleSince = now;
      idleMs = 0;
    }
    idleMs += ms;
    if (idleMs > sandboxLimits.idleCpuMs)
      poison({ kind: "cpu", reason: "It kept the processor busy while nobody waited for it" });
  };

  /** Does what promises have left to do; after a slice of it, the process has its turn. */
  const pump = (): void => {
    if (isPumping) return;
    const startedAt = performance.now();
    while (!isDead && runtime.hasPendingJob()) {
      guarded(program.limits.cpuMs, () => runtime.executePendingJobs(jobsAtOnce).dispose());
      if (!isDead && performance.now() - startedAt > sandboxLimits.sliceMs) {
        isPumping = true;
        setTimeout(() => {
          isPumping = false;
          pump();
        }, 1);
        // Endless promises look the same whether somebody waits or not.
        if (events.isAwaited()) charge(performance.now() - startedAt);
        return;
      }
    }
    if (isDead || rejections.count === 0) return;
    // Only now is it certain that nobody in the plugin asks how they ended.
    guarded(program.limits.cpuMs, () => {
      for (const reason of rejections.take()) callPlain(reject, reason);
    });
    // Describing them has run code of the plugin.
    setTimeout(pump, 0);
  };

  /** Calls a function of the sandbox's own; resolves to what it threw, which only exhaustion makes it do. */
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
      // An asynchronous function that is stopped rejects, as if it had thrown something itself.
      onFailure: (id, json) => (meter.wasInterrupted ? events.onInterrupted(id) : events.onFailure(id, json)),
      onStartTimer: timers.start,
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
      let thrown: string | null = null;
      const isTask = what !== "answer" && what !== "refuse";
      const work = (): void => {
        const given = texts.flatMap((text) => (text === undefined ? [] : [context.newString(text)]));
        const args = what === "start" ? [definition.dup()] : given;
        thrown = callPlain(functions[what], context.newNumber(id), ...args);
      };
      const limitMs = what === "start" ? sandboxLimits.setupCpuMs : program.limits.cpuMs;
      guarded(limitMs, work, () => isTask && events.onInterrupted(id));
      if (!isDead && thrown !== null) events.onFailure(id, JSON.stringify([thrown, ""]));
      pump();
    },
    hasWork: () => !isDead && runtime.hasPendingJob(),
    poison,
  };
};

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
    if (meter.wasInterrupted) throw new ProgramError(tooMuchCpu(sandboxLimits.setupCpuMs));
    if (error instanceof ProgramError) throw error;
    throw new ProgramError(`The backend cannot be run: ${poisonOf(error).reason}`);
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

const poisonOf = (error: unknown): Poison => {
  if (error instanceof OutOfTimeError)
    return { kind: "cpu", reason: "It kept the interpreter in one of its own loops" };
  if (error instanceof RangeError) return { kind: "crash", reason: "It nested something too deeply" };
  return { kind: "crash", reason: "It brought the interpreter down" };
};

const tooMuchCpu = (ms: number): string => `It used more than ${ms} ms of processor time at once`;

const jobsAtOnce = 16;
