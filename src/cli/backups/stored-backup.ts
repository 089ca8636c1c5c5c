import { type Client, openRunning } from "#cli/client.ts";
import type { Composition } from "#cli/composition.ts";
import { CliFailure } from "#cli/failure.ts";
import type { Invocation } from "#cli/invocation.ts";
import { backupTexts } from "#contract/backup-texts.ts";

type Tools = Awaited<ReturnType<Composition["backups"]>>;
type Bucket = NonNullable<Parameters<Tools["stored"]>[1]>;

/** Which backup of object storage is meant. `isOnlyRead`: it may come from a server that runs. */
export type StoredBackup = { name: string; bucket: string | undefined; isOnlyRead: boolean };

/** Hands `work` the bytes of a backup in object storage, whether or not a server runs on the installation. */
export const withStoredBackup = async (
  { composition, terminal }: Pick<Invocation, "composition" | "terminal">,
  { name, bucket, isOnlyRead }: StoredBackup,
  work: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> => {
  if (/[/\\]/.test(name))
    throw new CliFailure(
      "USAGE",
      "a backup in object storage has a name, as `atrium backup list` shows it, and no path",
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
  if (bucket === "") throw new CliFailure("USAGE", "--bucket takes an address: https://endpoint/bucket");
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = env;
  if (accessKeyId === "" || secretAccessKey === "")
    throw new CliFailure("USAGE", "--bucket needs its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  return { endpoint, bucket, accessKeyId, secretAccessKey, token: null };
};
