import { pluginLimits } from "#contract/plugins.ts";
import type { PluginProgram } from "../../runtime.ts";
import { createAllowance } from "../allowance.ts";
import type { FromChild, Task } from "../messages.ts";
import { sandboxLimits } from "../sandbox-limits.ts";
import type { Poison } from "../vm/create-vm.ts";
import { ProgramError } from "../vm/evaluate.ts";
import { type Session, startSession } from "./session.ts";

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
  // There before the session is: its set-up may ask the host, too.
  let settling: Pick<Session, "answer" | "refuse"> | null = null;
  let sessions = 0;
  // What comes while there is no interpreter: the server bounds it.
  let later: (() => void)[] = [];
  const recoveries = createAllowance(sandboxLimits.recoveriesAMinute, 60_000);
  const allowances = {
    calls: createAllowance(pluginLimits.hostCallsASecond, 1000),
    callBytes: createAllowance(sandboxLimits.callBytesASecond, 1000),
    lines: createAllowance(pluginLimits.logLinesAMinute, 60_000),
  };

  const begin = async (told: (registration: string) => void, failed: (reason: string) => void) => {
    sessions += 1;
    try {
      session = await startSession(
        module,
        { ...program, settings },
        {
          ...{ number: sessions, send, allowances, onPoisoned: recover },
          onOpened: (next) => {
            settling = next;
          },
        },
      );
      told(session.registration);
      const tasks = later;
      later = [];
      for (const task of tasks) task();
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      failed(error.message);
    }
  };

  const recover = ({ kind, reason }: Poison): void => {
    session = null;
    if (!recoveries.take(1)) {
      send({ type: "broken", kind, reason });
      return;
    }
    // Later, so that the broken interpreter is on no stack any more, and its memory can go before new is taken.
    setTimeout(() => {
      Bun.gc(true);
      void begin(
        (registration) => send({ type: "recovered", kind, reason }, registration),
        (why) => send({ type: "broken", kind, reason: `${reason}; after that: ${why}` }),
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
    (reason) => send({ type: "refused", reason }),
  );

  return {
    run,
    answer: (id, json) => settling?.answer(id, json),
    refuse: (id, name, message) => settling?.refuse(id, name, message),
  };
};

/** Settings as the server sent them. */
const asSettings = (json: string): PluginProgram["settings"] => JSON.parse(json) as PluginProgram["settings"];
