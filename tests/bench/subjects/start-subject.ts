import { openSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { onMeasuredCore } from "../measure/cores.ts";
import { processTree } from "../measure/processes.ts";

/** A server under measurement, in a process of its own. */
export type Subject = {
  name: string;
  url: string;
  /** Session cookie that the load carries. */
  cookie: string | null;
  serverPid: number;
  /** Processes of the database; empty when there is none. */
  databasePids(): number[];
  /** Throws away what it has printed: a minute of load writes gigabytes of log. */
  forgetOutput(): void;
  stop(): Promise<void>;
};

/** What to start: a file run by Bun with these words, and where its output goes. */
export type SubjectStart = {
  name: string;
  file: string;
  words?: string[];
  /** What runs the words instead of Bun with the file. */
  program?: readonly string[];
  env?: Record<string, string>;
  folder: string;
  /** Words before the command; by default those that keep it to the measured core. */
  prefix?: string[];
};

const projectRoot = join(import.meta.dir, "..", "..", "..");
const startDeadlineMs = 60_000;

/** Starts a subject and waits until it listens. Its log goes to a file, as a service's would. */
export const startSubject = async (start: SubjectStart): Promise<Subject> => {
  const { name, folder, file, words = [], env = {}, prefix = onMeasuredCore } = start;
  const { program = [process.execPath, join(projectRoot, file)] } = start;
  const logFile = join(folder, `${name.replaceAll(/\W+/g, "-")}.log`);
  const output = openSync(logFile, "a", 0o600);
  const child = Bun.spawn([...prefix, ...program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...serverEnv, ...env },
    stdout: output,
    stderr: output,
  });
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  const url = await listening(logFile, () => child.exitCode).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    name,
    url,
    cookie: null,
    serverPid: child.pid,
    databasePids: () => processTree(child.pid).slice(1),
    forgetOutput: () => truncateSync(logFile),
    stop,
  };
};

/** The environment of every Atrium under measurement: a service's log, the defaults for the rest. */
const serverEnv = { HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "json" };

const listening = async (logFile: string, exitCode: () => number | null): Promise<string> => {
  const deadline = performance.now() + startDeadlineMs;
  while (performance.now() < deadline) {
    const output = readFileSync(logFile, "utf8");
    const url = /listening on (http:\S+)/.exec(output)?.[1];
    if (url) return url;
    if (exitCode() !== null) throw new Error(`the server ended with ${exitCode()}:\n${output}`);
    await Bun.sleep(10);
  }
  throw new Error(`the server did not listen within ${startDeadlineMs} ms`);
};
