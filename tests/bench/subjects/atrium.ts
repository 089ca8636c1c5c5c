import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createPerson } from "../../driver/person.ts";
import { runCommand } from "../../driver/run-command.ts";
import type { MeasuredPostgres } from "./measured-postgres.ts";
import { type Subject, startSubject } from "./start-subject.ts";

/** The person who is signed in during a measurement. */
export const account = { email: "ada@example.test", password: "a rather fine long password" };

/** A place for the data of one installation below `folder`, and the environment that leads there. */
export type Installation = {
  dataDir: string;
  env: Record<string, string>;
  postgres: MeasuredPostgres | null;
};

/** Makes a place: the embedded database, or a new database of the given server. */
export const createInstallation = async (
  folder: string,
  postgres: MeasuredPostgres | null,
): Promise<Installation> => {
  const dataDir = join(folder, `data-${crypto.randomUUID()}`);
  mkdirSync(dataDir, { mode: 0o700 });
  const database = postgres === null ? {} : { DATABASE_URL: await postgres.createDatabase() };
  return { dataDir, env: { DATA_DIR: dataDir, ...database }, postgres };
};

/** `prefix` and `program`: see {@link startSubject}. */
type AtriumStart = {
  name: string;
  folder: string;
  installation: Installation;
  prefix?: string[];
  program?: readonly string[];
};

/** Starts `atrium serve` on an installation, with an admin who is signed in. */
export const startAtrium = async ({ installation, ...start }: AtriumStart): Promise<Subject> => {
  const { env } = installation;
  const subject = await startSubject({ ...start, file: "src/cli/main.ts", words: ["serve"], env });
  try {
    const cookie = await signIn(subject.url, env);
    await liftLimit(env);
    return { ...subject, cookie, databasePids: databaseOf(subject, installation) };
  } catch (error) {
    await subject.stop();
    throw error;
  }
};

/** Makes the account at the terminal and signs it in; resolves to the session cookie. */
const signIn = async (url: string, env: Record<string, string>): Promise<string> => {
  const words = ["admin", "create", "--email", account.email, "--name", "Ada", "--password-stdin"];
  const made = await runCommand(words, { env, input: `${account.password}\n` });
  if (made.exitCode !== 0) throw new Error(made.stderr);
  const person = createPerson(url);
  const answer = await person.call("POST", "/api/auth/login", account);
  if (answer.status !== 200 || person.cookie === null) throw new Error(`signing in: ${answer.status}`);
  return person.cookie;
};

/** A benchmark makes more requests than any visitor may. */
const liftLimit = async (env: Record<string, string>): Promise<void> => {
  const lifted = await runCommand(["settings", "set", "core.rateLimiting.enabled", "off"], { env });
  if (lifted.exitCode !== 0) throw new Error(lifted.stderr);
};

/** Starts a second server on an installation that runs already; it remembers no sessions. `cookie` is of the first. */
export const startUncachedAtrium = async (start: AtriumStart, cookie: string | null): Promise<Subject> => {
  const { env } = start.installation;
  const file = "tests/bench/subjects/uncached-atrium.ts";
  const subject = await startSubject({ name: start.name, folder: start.folder, file, env });
  return { ...subject, cookie, databasePids: databaseOf(subject, start.installation) };
};

const databaseOf = (subject: Subject, { postgres }: Installation): (() => number[]) =>
  postgres === null ? subject.databasePids : postgres.pids;
