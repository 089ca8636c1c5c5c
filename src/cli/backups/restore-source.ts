import { constants, readFileSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { type Client, openRunning } from "#cli/client/client.ts";
import type { Composition } from "#cli/composition.ts";
import { CliFailure, usage } from "#cli/failure.ts";
import type { Invocation } from "#cli/invocation.ts";
import type { Terminal } from "#cli/terminal/terminal.ts";
import { backupTexts } from "#contract/backup-texts.ts";

/** Where a backup comes from: a file or standard input (`-`), or bytes that are on their way already. */
export type Source = { file: string } | { bytes: AsyncIterable<Uint8Array> };

/** The bytes of a backup. */
export const bytesOf = (terminal: Terminal, source: Source): AsyncIterable<Uint8Array> => {
  if ("bytes" in source) return source.bytes;
  return source.file === "-" ? terminal.inputBytes() : Bun.file(source.file).stream();
};

/** How large a backup is, in bytes; `null` where that shows only at its end. Throws for what cannot be one or cannot be read. */
export const checkSource = async (source: Source): Promise<number | null> => {
  if ("bytes" in source || source.file === "-") return null;
  const { file } = source;
  const unusable = (reason: string) => new CliFailure("BACKUP_UNUSABLE", `${file} ${reason}`);
  const found = await stat(file).catch((error) => {
    if (Reflect.get(Object(error), "code") === "EACCES") throw unusable("cannot be read by this user");
    throw new CliFailure("NOT_FOUND", `file not found: ${file}`);
  });
  if (found.isDirectory()) throw unusable("is a folder, not a backup");
  if (found.isBlockDevice() || found.isCharacterDevice()) throw unusable("is a device, not a backup");
  await access(file, constants.R_OK).catch(() => {
    throw unusable("cannot be read by this user");
  });
  return found.isFile() ? found.size : null;
};

/** The passphrase of a backup; it is asked for only where a passphrase is what the file wants. */
export const passphraseFor = async (
  terminal: Terminal,
  source: Source,
  { isFromInput, hasIdentity }: { isFromInput: boolean; hasIdentity: boolean },
): Promise<string | null> => {
  const file = "file" in source ? source.file : null;
  if (isFromInput && file === "-") throw usage("standard input cannot be both the backup and its passphrase");
  const mayAsk = file !== null && file !== "-" && !hasIdentity && (await isLocked(file));
  return presentPassphrase(terminal, { isFromInput, mayAsk });
};

/** What is read of a pipe here would be missing later. */
const isLocked = async (file: string): Promise<boolean> => {
  if (!(await stat(file)).isFile()) return false;
  return /^age-encryption\.org\/v1\n-> scrypt /.test(await Bun.file(file).slice(0, 40).text());
};

/** The identities in a file as `age-keygen` writes it, with comments. */
export const identitiesIn = (file: string): string[] => {
  const lines = linesOf(file)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length > 0 && lines.every((line) => /^AGE-SECRET-KEY-/.test(line))) return lines;
  throw usage(
    `${file} is not an age identity file: its lines must start with AGE-SECRET-KEY-1, as written by age-keygen`,
  );
};

const linesOf = (file: string): string[] => {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch (cause) {
    throw new CliFailure("NOT_FOUND", `cannot read the identity file ${file}`, { cause });
  }
};

type Tools = Awaited<ReturnType<Composition["backups"]>>;
type Bucket = NonNullable<Parameters<Tools["stored"]>[1]>;

/** Which backup of object storage is meant. `isOnlyRead`: it may come from a server that runs. */
type StoredBackup = { name: string; bucket: string | undefined; isOnlyRead: boolean };

/** Hands `work` the bytes of a backup in object storage, whether or not a server runs on the installation. */
export const withStoredBackup = async (
  { composition, terminal }: Pick<Invocation, "composition" | "terminal">,
  { name, bucket, isOnlyRead }: StoredBackup,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> => {
  if (/[/\\]/.test(name))
    throw usage(
      "give the name of a backup in object storage, not a path; `atrium backup list` shows the names",
    );
  const given = bucket === undefined ? null : bucketOf(bucket, terminal.env);
  const client = given === null && isOnlyRead ? await openRunning(composition, null) : null;
  if (client === null) return work(await (await composition.backups()).stored(name, given));
  try {
    return await work(await downloaded(client, name));
  } finally {
    await client.close();
  }
};

/** A backup as the running server hands it over. What it says of one that is not there is for its other callers, too. */
const downloaded = async (client: Client, name: string): Promise<AsyncIterable<Uint8Array>> => {
  try {
    return await client.receive("backups.download", { place: "storage", name });
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    const { kind } = error;
    if (kind === "CONFLICT") throw new CliFailure(kind, backupTexts.noBucket, { cause: error });
    if (kind === "NOT_FOUND")
      throw new CliFailure(kind, `${backupTexts.notStored}: ${name}`, { cause: error });
    throw error;
  }
};

/** A bucket as an address names it, with the keys that other programs for object storage take from the environment, too. */
const bucketOf = (address: string, env: Record<string, string | undefined>): Bucket => {
  const [, endpoint = "", bucket = ""] = /^(https?:\/\/[^/?#@\s]+)\/([a-z0-9.-]+)\/?$/.exec(address) ?? [];
  if (bucket === "") throw usage("--bucket must be a URL such as https://endpoint/bucket");
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = env;
  if (accessKeyId === "" || secretAccessKey === "")
    throw usage("--bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment");
  return { endpoint, bucket, accessKeyId, secretAccessKey, token: null };
};

const variable = "ATRIUM_BACKUP_PASSPHRASE";
const leastCharacters = 12;

/** Where a passphrase may come from besides the environment. */
type PassphraseSource = { isFromInput: boolean; mayAsk: boolean };

/** The passphrase for a new backup, asked for twice; `null` when none is given and none may be asked for. Throws `USAGE`. */
export const newPassphrase = async (terminal: Terminal, source: PassphraseSource): Promise<string | null> => {
  const given = await givenPassphrase(terminal, source);
  if (given !== null) return checked(given);
  if (!source.mayAsk) return null;
  if (!terminal.isInputTerminal) throw noTerminal();
  const passphrase = checked(await terminal.askSecret("Passphrase for the backup"));
  if ((await terminal.askSecret("Repeat the passphrase")) !== passphrase)
    throw new CliFailure("VALIDATION_FAILED", "the passphrases don't match");
  return passphrase;
};

/** The passphrase of a backup that is there; `null` when none is given and there is no terminal to ask on. */
const presentPassphrase = async (terminal: Terminal, source: PassphraseSource): Promise<string | null> => {
  const given = await givenPassphrase(terminal, source);
  if (given !== null || !source.mayAsk || !terminal.isInputTerminal) return given;
  return terminal.askSecret("Passphrase of the backup");
};

const givenPassphrase = async (terminal: Terminal, { isFromInput }: PassphraseSource) => {
  if (isFromInput) return new TextDecoder().decode(await terminal.readInput()).replace(/\r?\n$/, "");
  return terminal.env[variable] || null;
};

const checked = (passphrase: string): string => {
  if ([...passphrase].length >= leastCharacters) return passphrase;
  throw new CliFailure(
    "VALIDATION_FAILED",
    `the passphrase must have at least ${leastCharacters} characters`,
  );
};

const noTerminal = (): CliFailure =>
  usage(`cannot ask for a passphrase without a terminal: set ${variable}, or use --passphrase-stdin`);
