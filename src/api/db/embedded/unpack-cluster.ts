import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";

/** Unpacks a seed or a snapshot (tar.zst) into the empty `folder`; not synced yet. Throws when it is not whole. */
export const unpackCluster = async (file: string, folder: string): Promise<void> => {
  const made = new Set<string>([folder]);
  const makeFolder = async (path: string): Promise<void> => {
    if (made.has(path)) return;
    await mkdir(path, { recursive: true, mode: 0o700 });
    made.add(path);
  };
  await readTar(file, async (name, chunks) => {
    const path = join(folder, name);
    if (name.endsWith("/")) return makeFolder(path);
    await makeFolder(dirname(path));
    const target = await open(path, "wx", 0o600);
    try {
      for await (const chunk of chunks) await target.writeFile(chunk);
    } finally {
      await target.close();
    }
  });
};

/**
 * Hands out what is in a tar.zst, one after another; a folder's name ends with a slash. Throws when the file is cut
 * short, changed, or names something outside of it.
 */
export const readTar = async (
  file: string,
  onEntry: (name: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> => {
  // A start on an existing cluster does not need it.
  const { extract } = await import("tar-stream");
  const tar = extract();
  const readEntries = async (): Promise<void> => {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      const path = normalize(name);
      if (path.startsWith("/") || path.split("/").includes("..")) throw new Error(`it names ${name}`);
      await onEntry(type === "directory" && !name.endsWith("/") ? `${name}/` : name, bytesOf(entry));
      // What was not read would stop the rest.
      entry.resume();
    }
  };
  const reading = readEntries();
  // An error of the pipeline ends the loop too, and is the one to report.
  reading.catch(() => {});
  // Node's own streams cannot read what is inside the executable.
  await pipeline(Bun.file(file).stream(), createZstdDecompress(), tar);
  await reading;
};

/** The archive's reader does not say of what its entries consist. */
async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) {
    if (!(chunk instanceof Uint8Array)) throw new Error("an entry of the archive consists of no bytes");
    yield chunk;
  }
}

/** Traces of a former database in a data folder, besides snapshots: paths, newest first. */
type KeptBeside = {
  /** Backups in its folder of them. */
  backups: string[];
  /** Databases that a restore has put aside. */
  former: string[];
};

/** Looks for it; what this user may not look into holds nothing. */
export const keptBeside = (dataDir: string): KeptBeside => ({
  backups: entriesOf(join(dataDir, "backups"))
    .filter((path) => /\.tar\.zst(?:\.age)?$/.test(path))
    .map((path) => ({ path, state: statSync(path, { throwIfNoEntry: false }) }))
    .filter(({ state }) => state?.isFile() === true)
    .sort((a, b) => (b.state?.mtimeMs ?? 0) - (a.state?.mtimeMs ?? 0))
    .map(({ path }) => path),
  former: entriesOf(dataDir)
    .filter((path) => /\/database\.replaced-[^/]+$/.test(path))
    .filter((path) => entriesOf(path).length > 0)
    .sort()
    .reverse(),
});

/** Whether a data folder has an empty place for a database, and the key of an installation: no start leaves that behind. */
export const isEmptied = (dataDir: string): boolean =>
  existsSync(join(dataDir, "database")) &&
  entriesOf(join(dataDir, "database")).length === 0 &&
  existsSync(join(dataDir, "app.key"));

const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
};
