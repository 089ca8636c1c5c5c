import { watch } from "node:fs";
import { join } from "node:path";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";
import { projectRoot } from "./project-root.ts";

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
 * Runs a command and restarts it after each change in a folder. The old process is asked to end and waited for,
 * because the new one wants the same port and data. One that ends on its own is restarted at the next change.
 * Resolves to how to stop.
 */
const runRestarting = ({ command, env, folder, matters }: RestartingProcess) => {
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

/**
 * The development servers: the API, restarted when its sources change, behind Vite, which swaps changed parts of the
 * user interface in place. `UI_PORT` is the address to open (5173).
 */

ensureDependencies();
// Loaded only now: it was installed a moment ago.
const { createServer } = await import("vite");

const freePort = async (): Promise<number> => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  await server.stop(true);
  if (port === undefined) throw new Error("no free port was found");
  return port;
};

const uiPort = Number(process.env.UI_PORT ?? 5173);
const uiUrl = `http://localhost:${uiPort}`;
const apiPort = await freePort();
const apiUrl = `http://127.0.0.1:${apiPort}`;

const stopApi = runRestarting({
  command: [process.execPath, "src/cli/main.ts", "serve"],
  // Browsers name Vite's origin in their calls, so that is the one which the API has to trust.
  env: { ...process.env, HOST: "127.0.0.1", PORT: String(apiPort), APP_URL: uiUrl },
  folder: join(projectRoot, "src"),
  matters: (file) => file.endsWith(".ts") && !file.startsWith("ui/") && !file.endsWith(".test.ts"),
});

// The names of host and origin stay as the browser sent them.
const toApi = { target: apiUrl, changeOrigin: false };
const vite = await createServer({
  configFile: join(projectRoot, "vite.config.ts"),
  clearScreen: false,
  server: {
    host: "localhost",
    port: uiPort,
    strictPort: true,
    proxy: { "/api": toApi, "/swagger": toApi },
  },
});
await vite.listen();
console.error(`atrium for development on ${uiUrl} (API on ${apiUrl})`);

const stop = async () => {
  await Promise.all([vite.close(), stopApi()]);
  process.exit(0);
};
process.on("SIGINT", () => void stop());
process.on("SIGTERM", () => void stop());
