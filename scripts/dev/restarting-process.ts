import { watch } from "node:fs";
import { projectRoot } from "../project-root.ts";

type RestartingProcess = {
  command: string[];
  env: Record<string, string | undefined>;
  /** Folder whose changes restart the process, absolute. */
  folder: string;
  /** Whether a changed file, named from that folder, matters. */
  matters: (file: string) => boolean;
};

const restMs = 200;

/**
 * Runs a command and starts it anew after each change in a folder. The old process is asked to end and waited for,
 * because the new one wants the same port and data. One that ends by itself is started again at the next change.
 * Resolves to how to stop.
 */
export const runRestarting = ({ command, env, folder, matters }: RestartingProcess) => {
  const start = () => Bun.spawn(command, { cwd: projectRoot, env, stdio: ["ignore", "inherit", "inherit"] });
  let child = start();
  let restarting = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const end = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  const restart = () => {
    restarting = restarting.then(end).then(() => {
      child = start();
    });
  };
  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (file === null || !matters(file)) return;
    clearTimeout(timer);
    timer = setTimeout(restart, restMs);
  });

  return async (): Promise<void> => {
    watcher.close();
    clearTimeout(timer);
    await restarting;
    await end();
  };
};
