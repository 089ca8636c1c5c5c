import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { signedInPeople } from "./people.ts";
import { executable, programIn } from "./program.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "./start-server.ts";

/** The session cookies of Grace Hopper and of Ada Lovelace, who is an admin. */
type Cookies = { user: string; admin: string };

/** A server with its two people, signed in. */
export type PeopledServer = { server: ServerProcess; cookies: Cookies };

/**
 * A server on a folder of its own, with the {@link signedInPeople} in it. The executable's folders are copies of one that
 * was made minutes ago: filling one takes three times the computing of a start.
 */
export const startWithPeople = async (
  settings: { env?: Record<string, string> } = {},
): Promise<PeopledServer> => {
  if (programIn()[0] !== executable) return startEmpty(settings);
  const dataDir = temporaryFolder();
  const kept = newestKept() ?? (await keepFolder());
  cpSync(join(kept, "data"), dataDir, { recursive: true });
  // The limit is off in the folder.
  const server = await startServer({ ...settings, dataDir, isLimited: true });
  return { server, cookies: JSON.parse(readFileSync(join(kept, cookiesFile), "utf8")) };
};

const startEmpty = async (settings: { env?: Record<string, string> }): Promise<PeopledServer> => {
  const server = await startServer(settings);
  return { server, cookies: await signedInPeople(server) };
};

// A session is fresh for ten minutes, and a test has most of them still before it.
const usableMs = 3 * 60_000;
// No one copies from it any more.
const goneMs = 10 * 60_000;

const shelf = dirname(executable);
const prefix = ".people-";
const cookiesFile = "cookies.json";

/** The newest folder that is filled by this very executable and young enough; `null` without one. Older ones are removed. */
const newestKept = (): string | null => {
  const builtAt = statSync(executable).mtimeMs;
  const ages = readdirSync(shelf)
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ path: join(shelf, name), madeAt: Number(name.split("-")[1]) }));
  for (const { path, madeAt } of ages) if (Date.now() - madeAt > goneMs) removeFolder(path);
  const usable = ages.filter(({ madeAt }) => madeAt > builtAt && Date.now() - madeAt < usableMs);
  return usable.sort((one, other) => other.madeAt - one.madeAt)[0]?.path ?? null;
};

/** Fills a folder and keeps it: it appears under its name when it is whole. */
const keepFolder = async (): Promise<string> => {
  const madeAt = Date.now();
  const { server, cookies } = await startEmpty({});
  // Every stage of the next minutes begins with it.
  if ((await server.stop()) !== 0) throw new Error("the server with the users did not stop cleanly");
  const work = mkdtempSync(join(shelf, ".filling-"));
  cpSync(server.dataDir, join(work, "data"), { recursive: true });
  removeFolder(server.dataDir);
  writeFileSync(join(work, cookiesFile), JSON.stringify(cookies));
  const kept = join(shelf, `${prefix}${madeAt}-${process.pid}`);
  renameSync(work, kept);
  return kept;
};
