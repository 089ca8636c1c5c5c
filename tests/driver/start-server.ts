import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { programIn } from "./program.ts";

/** How to start a server process; what is left out gets a temporary folder, a free port and the embedded database. */
export type ServerSettings = {
  dataDir?: string;
  env?: Record<string, string>;
  port?: number;
  /** Whether requests are limited as in an installation: thousands of calls of a test are no attack. */
  isLimited?: boolean;
  /** Options of `serve`. */
  options?: string[];
  /** Folder of the program, where it is not this one. */
  programRoot?: string;
  /** In a process group of its own: `killGroup` then ends it with everything that it started. */
  hasOwnGroup?: boolean;
};

/** The real server in a process of its own. */
export type ServerProcess = {
  /** Where it listens, without trailing slash: also its public origin. */
  url: string;
  dataDir: string;
  pid: number;
  /** The one-time link that creates the first admin, when it printed one. */
  setupLink: string | null;
  /** From the start of the process to the line that says it listens. */
  startMs: number;
  /** Everything printed so far. */
  output(): string;
  /** Sends a signal; resolves to the exit code (128 + signal when killed). */
  stop(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number>;
  /** Kills it with all of its processes at once, as a machine that loses power does. Needs `hasOwnGroup`. */
  killGroup(): Promise<void>;
};

/** A start that did not lead to a listening server. */
export class StartFailure extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, output: string) {
    super(`the server ended with ${exitCode}:\n${output}`);
    this.name = "StartFailure";
    this.exitCode = exitCode;
  }
}

const startDeadlineMs = 60_000;

/** A fresh folder for the data of one test. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "atrium-test-"));

/** Removes a folder made by {@link temporaryFolder}. */
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Starts the server and waits until it listens. Throws {@link StartFailure} when it ends before. */
export const startServer = async (settings: ServerSettings = {}): Promise<ServerProcess> => {
  const dataDir = settings.dataDir ?? temporaryFolder();
  const startedAt = performance.now();
  const child = Bun.spawn([...programIn(settings.programRoot), "serve", ...(settings.options ?? [])], {
    detached: settings.hasOwnGroup === true,
    // Away from the project, so that no `.env` of a developer has a part in it.
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      HOST: "127.0.0.1",
      PORT: String(settings.port ?? 0),
      DATA_DIR: dataDir,
      LOG_FORMAT: "json",
      ...settings.env,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  void collect(child.stdout);
  void collect(child.stderr);
  const url = await listening(child, () => output);
  const startMs = performance.now() - startedAt;
  if (settings.isLimited !== true) await switchLimitOff(dataDir);
  return {
    url,
    dataDir,
    pid: child.pid,
    setupLink: /\S+\/setup\?token=[\w-]+/.exec(output)?.[0] ?? null,
    startMs,
    output: () => output,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      return child.exited;
    },
    killGroup: async () => {
      if (settings.hasOwnGroup !== true) throw new Error("the server shares the group of this process");
      process.kill(-child.pid, "SIGKILL");
      await child.exited;
    },
  };
};

const listening = async (child: Subprocess, output: () => string): Promise<string> => {
  const deadline = performance.now() + startDeadlineMs;
  while (performance.now() < deadline) {
    const url = /atrium listening on (\S+)/.exec(output())?.[1];
    if (url) return url;
    if (child.exitCode !== null) throw new StartFailure(child.exitCode, output());
    await Bun.sleep(5);
  }
  child.kill("SIGKILL");
  throw new Error(`the server did not listen within ${startDeadlineMs} ms:\n${output()}`);
};

/** As the operator would: through the control socket. */
const switchLimitOff = async (dataDir: string): Promise<void> => {
  const response = await fetch("http://localhost/api/auth/settings/core", {
    unix: join(dataDir, "control.sock"),
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rateLimiting: { enabled: false } }),
  });
  if (!response.ok) throw new Error(`the limit could not be switched off: ${await response.text()}`);
};
