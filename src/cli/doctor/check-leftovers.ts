import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Check, ok, warn } from "./check.ts";
import { shellWord } from "./shell-word.ts";

/** What interrupted work and former databases left in the data folder. What is younger than an hour may be at work still. */
export const checkLeftovers = (dataDir: string, now: Date): Check => {
  const name = "leftovers";
  const old = namesIn(dataDir).filter((entry) => {
    const modifiedMs = statSync(join(dataDir, entry), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
    return leftover.test(entry) && now.getTime() - modifiedMs > atWorkMs;
  });
  if (old.length === 0) return ok(name, "none");
  return warn(
    name,
    `${old.join(", ")} in ${dataDir}`,
    `once the installation is fine without: rm -r ${old.map((entry) => shellWord(join(dataDir, entry))).join(" ")}`,
  );
};

/** The control socket of a server that is gone. */
export const checkSocket = (controlSocket: string, isRunning: boolean): Check =>
  isRunning || statSync(controlSocket, { throwIfNoEntry: false }) === undefined
    ? ok("control socket", isRunning ? "answers" : "there is none while no server runs")
    : ok("control socket", `${controlSocket} is left from a server that ended; the next start replaces it`);

const leftover = /\.(?:tmp|part|draft)$|^verify-\w{6}$|^database\.(?:replaced|restoring|damaged)\b/;
const atWorkMs = 60 * 60_000;

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    // Before the first start.
    if (Reflect.get(Object(error), "code") === "ENOENT") return [];
    throw error;
  }
};
