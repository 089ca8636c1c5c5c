import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Server } from "bun";
import { quietFaults } from "./quiet-faults.ts";
import { startingAnswer } from "./starting-answer.ts";

type Answer = (request: Request) => Response | Promise<Response>;

/** The operator's socket: for the owner of the data folder alone, and answering that the server starts until it lets in. */
export type ControlSocket = {
  server: Server<undefined>;
  /** From here on `answer` has the requests. */
  letIn(answer: Answer): void;
  /** Removes the socket's file, at once: what is under way goes on. */
  remove(): void;
};

/** Listens at `path`. Only for whoever holds the lock of the data folder: what lies there is replaced. */
export const openControlSocket = (path: string): ControlSocket => {
  let answer: Answer = startingAnswer;
  const server = listen(path, (request) => answer(request));
  const remove = () => {
    process.off("exit", remove);
    rmSync(path, { force: true });
  };
  // A start that waits ends with the process, by a signal. Later on the lock may be somebody else's before this process is gone.
  process.on("exit", remove);
  return {
    server,
    letIn: (next) => {
      process.off("exit", remove);
      answer = next;
    },
    remove,
  };
};

const listen = (path: string, fetch: Answer): Server<undefined> => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // What lies there is left over: whoever gets here holds the lock of the data folder.
  rmSync(path, { force: true });
  // For the owner alone from its first instant.
  const umask = process.umask(0o177);
  try {
    const options: Bun.Serve.Options<undefined> = { unix: path, ...quietFaults, fetch };
    // The owner's commands wait for long work that is silent, such as the removal of very many activities. The types
    // know this option for ports alone.
    Object.assign(options, { idleTimeout: 0 });
    const server = Bun.serve(options);
    chmodSync(path, 0o600);
    return server;
  } finally {
    process.umask(umask);
  }
};
