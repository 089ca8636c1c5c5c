import { pluginLimits } from "#contract/plugins.ts";
import type { PluginProgram } from "../../runtime.ts";
import { createAllowance } from "../allowance.ts";
import type { FromChild, Task } from "../messages.ts";
import { sandboxLimits } from "../sandbox-limits.ts";
import type { Poison } from "../vm/create-vm.ts";
import { ProgramError } from "../vm/evaluate.ts";
import { type HostAnswers, type Session, SlowError, startSession } from "./session.ts";

/** A plugin's program in its process. */
export type RunningProgram = Pick<Session, "run" | "answer" | "refuse">;

/** Runs a program, in a new interpreter whenever one breaks. What becomes of it is sent. */
export const runProgram = (
  module: WebAssembly.Module,
  program: PluginProgram,
  send: (message: FromChild, body?: string) => void,
): RunningProgram => {
  let { settings } = program;
  let session: Session | null = null;
  // There before the session is, whose set-up may ask the host, too; and for as long as one finishes what it was given.
  const open = new Map<number, HostAnswers>();
  let sessions = 0;
  // What comes while there is no interpreter: the server bounds it.
  let later: (() => void)[] = [];
  const recoveries = createAllowance(sandboxLimits.recoveriesAMinute, 60_000);
  const allowances = {
    calls: createAllowance(pluginLimits.hostCallsASecond, 1000),
    callBytes: createAllowance(sandboxLimits.callBytesASecond, 1000),
    lines: createAllowance(pluginLimits.logLinesAMinute, 60_000),
  };

  const begin = async (
    told: (registration: string) => void,
    failed: (reason: string, isSlow: boolean) => void,
  ) => {
    sessions += 1;
    const number = sessions;
    try {
      session = await startSession(
        module,
        { ...program, settings },
        {
          ...{ number, send, allowances },
          onOpened: (answers) => void open.set(number, answers),
          onBroken: (poison) => recover(number, poison),
          onEnded: () => void open.delete(number),
        },
      );
      told(session.registration);
      const tasks = later;
      later = [];
      for (const task of tasks) task();
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      failed(error.message, error instanceof SlowError);
    }
  };

  const recover = (broken: number, { kind, reason, cause }: Poison): void => {
    session = null;
    // There is memory for one that finishes what it was given.
    for (const [number, answers] of open) if (number !== broken) answers.end();
    const handler = cause?.handler ?? null;
    if (!recoveries.take(1)) {
      send({ type: "broken", kind, reason, handler });
      return;
    }
    // Later, so that the broken interpreter is on no stack any more, and its memory can go before new is taken.
    setTimeout(() => {
      Bun.gc(true);
      void begin(
        (registration) => send({ type: "recovered", kind, reason, handler }, registration),
        (why) => send({ type: "broken", kind, reason: `${reason}; after that: ${why}`, handler }),
      );
    }, 0);
  };

  const run = (id: number, task: Task, handler: string, json: string): void => {
    if (session === null) later.push(() => run(id, task, handler, json));
    else {
      if (task === "settings") settings = asSettings(json);
      session.run(id, task, handler, json);
    }
  };

  void begin(
    (registration) => send({ type: "started" }, registration),
    (reason, isSlow) => send({ type: "refused", reason, isSlow }),
  );

  return {
    run,
    answer: (id, json) => {
      for (const answers of open.values()) answers.answer(id, json);
    },
    refuse: (id, name, message) => {
      for (const answers of open.values()) answers.refuse(id, name, message);
    },
  };
};

/** Settings as the server sent them. */
const asSettings = (json: string): PluginProgram["settings"] => JSON.parse(json) as PluginProgram["settings"];
