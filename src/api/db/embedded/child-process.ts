import { join } from "node:path";
import { isExecutable } from "../bundled-files.ts";
import {
  asFromChild,
  type ChildArguments,
  databaseSubcommand,
  type FromChild,
  type ToChild,
} from "./child-messages.ts";
import { lastWords } from "./last-words.ts";

/** A database process that has been started. */
export type ChildProcess = {
  readonly pid: number;
  send(message: ToChild): void;
  kill(): void;
  /** Resolves when it is gone, to what is known of the reason. */
  readonly exited: Promise<string>;
};

/** Starts the database process of this program, from source or from the executable. */
export const startChild = (args: ChildArguments, onMessage: (message: FromChild) => void): ChildProcess => {
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
      // What is sent to a process that is just ending is lost with it; `exited` tells.
      if (child.exitCode === null && !child.killed) child.send(message);
    },
    kill: () => child.kill("SIGKILL"),
    exited: child.exited.then(async (code) => {
      const words = lastWords(await printed);
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
