import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { runChecked } from "../../services/run-checked.ts";

const cores = availableParallelism();

/** The one core of all that is measured: its processor time is then what a machine of one core would need. */
const measured = "0";
const others = cores > 1 ? `1-${cores - 1}` : "0";

/** Words before a command that keep it to the measured core. */
export const onMeasuredCore = ["taskset", "-c", measured];

/** Words before a command that let it use every core. */
export const onAllCores = ["taskset", "-c", `0-${cores - 1}`];

/** Keeps running processes and what they will start to the measured core. */
export const moveToMeasuredCore = (pids: number[]): void => move(pids, measured);

/** Lets running processes and what they will start use every core. */
export const moveToAllCores = (pids: number[]): void => move(pids, `0-${cores - 1}`);

const move = (pids: number[], to: string): void => {
  for (const pid of pids) {
    try {
      runChecked(["taskset", "-a", "-c", "-p", to, String(pid)], "/");
    } catch (error) {
      // A server's helpers come and go: one that has ended needs no core.
      if (existsSync(`/proc/${pid}`)) throw error;
    }
  }
};

/** Keeps this process, and with it the load that it makes, away from the measured core. */
export const leaveMeasuredCore = (): void =>
  runChecked(["taskset", "-a", "-c", "-p", others, String(process.pid)], "/");
