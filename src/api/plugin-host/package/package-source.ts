import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStore } from "#api/core/objects.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { pluginLimits } from "#contract/plugins.ts";
import { StartFailure } from "../runtime.ts";
import { contentHash } from "./content-hash.ts";
import type { BundledContents, TrustRules } from "./judge.ts";
import { type ReadPackage, readPackage } from "./read-package.ts";
import { type UnpackedEntry, unpackAgain } from "./read-zip.ts";

/** Which package, and where it is stored. */
export type PackagePlace = {
  name: string;
  version: string;
  sha256: string;
  objectKey: string | null;
  /** `null` for one that was just uploaded. */
  storedAt: Date | null;
};

/** Gets packages, from this machine if they were used before. */
export type PackageSource = {
  /**
   * The package, verified with today's keys. Throws a {@link StartFailure}: `away` if it
   * is unavailable at the moment, `distrust` if it differs from the stored package.
   */
  open(place: PackagePlace, trust: TrustRules): Promise<ReadPackage>;
  /** Removes local files of packages that are no longer needed; the first time, also incomplete ones. */
  sweep(needed: readonly CachedPackage[]): Promise<void>;
};

/** A package that may be stored here. */
type CachedPackage = Pick<PackagePlace, "name" | "version" | "sha256">;

type PackageSourceOptions = {
  /** Contains one folder per plugin; created when needed. */
  folder: string;
  objects: Pick<ObjectStore, "get">;
  bundled: readonly BundledPlugin[];
};

/** Stores packages in a folder, which can be removed at any time. */
export const createPackageSource = ({ folder, objects, bundled }: PackageSourceOptions): PackageSource => {
  let hasSwept = false;

  const fetchBytes = async ({ name, objectKey }: PackagePlace): Promise<Uint8Array> => {
    const found =
      objectKey === null
        ? ((await bundled.find((plugin) => plugin.name === name)?.packed()) ?? null)
        : await objects.get(objectKey);
    if (found === null) throw new StartFailure("away", "Its package is missing from storage");
    return found;
  };

  const fetchPackage = async (place: PackagePlace, trust: TrustRules): Promise<ReadPackage> => {
    const bytes = await fetchBytes(place).catch((cause) => {
      if (cause instanceof StartFailure) throw cause;
      throw new StartFailure("away", "Its package can't be read at the moment", { cause });
    });
    const read = await readPackage(bytes, { trust }).catch((cause) => {
      throw new StartFailure("distrust", "Its stored package was changed: it can't be read", { cause });
    });
    if (!isMeant(read, place))
      throw new StartFailure("distrust", "Its stored package was changed: its bytes differ");
    await keep(bytes, keptPackage(folder, place));
    return read;
  };

  return {
    open: async (place, trust) => {
      await clearWay(folder, place.name);
      return (await readCached(place, folder, trust)) ?? (await fetchPackage(place, trust));
    },
    sweep: async (needed) => {
      if (await isLink(folder)) throw new Error(`${folder} is a link`);
      const entries = await namesIn(folder);
      for (const name of hasSwept ? entries.filter((entry) => !entry.startsWith(".")) : entries) {
        const ours = needed.filter((one) => one.name === name).map(fileName);
        if (ours.length === 0 || (await isLink(join(folder, name)))) {
          await rm(join(folder, name), { recursive: true, force: true });
          continue;
        }
        for (const entry of await namesIn(join(folder, name)))
          if (!ours.includes(entry)) await rm(join(folder, name, entry), { recursive: true, force: true });
      }
      hasSwept = true;
    },
  };
};

const fileName = ({ version, sha256 }: CachedPackage): string => `${version}-${sha256.slice(0, 12)}.zip`;

const keptPackage = (folder: string, place: CachedPackage): string =>
  join(folder, place.name, fileName(place));

const isMeant = ({ sha256, manifest }: ReadPackage, place: PackagePlace): boolean =>
  sha256 === place.sha256 && manifest.name === place.name && manifest.version === place.version;

/** `null` if it is missing or invalid: the store has it. */
const readCached = async (
  place: PackagePlace,
  folder: string,
  trust: TrustRules,
): Promise<ReadPackage | null> => {
  try {
    const read = await readPackage(await readKept(keptPackage(folder, place)), { trust });
    return isMeant(read, place) ? read : null;
  } catch {
    return null;
  }
};

/**
 * One file of a package that is kept in the folder of {@link createPackageSource}, without reading the others. Rejects
 * if the package is missing or no longer readable, or its bytes there have changed.
 */
export const readKeptFile = async (
  folder: string,
  { place, entry }: { place: CachedPackage; entry: UnpackedEntry },
): Promise<Uint8Array> => {
  if ((await isLink(folder)) || (await isLink(join(folder, place.name))))
    throw new Error("Its folder is a link");
  const slice = { at: entry.at, length: entry.packedBytes };
  return unpackAgain(await readKept(keptPackage(folder, place), slice), entry);
};

/** The bytes of a kept package, or `length` of them from `at` on. */
const readKept = async (path: string, slice?: { at: number; length: number }): Promise<Uint8Array> => {
  // Neither a link nor an endless pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    const { at, length } = slice ?? { at: 0, length: found.size };
    if (!found.isFile() || found.size > pluginLimits.packageBytes || found.size < at + length)
      throw new Error("The kept package was changed");
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(bytes, done, length - done, at + done);
      if (bytesRead === 0) throw new Error("The kept package became shorter");
      done += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
};

/** Stores the bytes for the next start. Without them that start asks the store, so a failure does no harm. */
const keep = async (bytes: Uint8Array, path: string): Promise<void> => {
  const part = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    await writeFile(part, bytes, { mode: 0o600 });
    await rename(part, path);
  } catch {
    await rm(part, { force: true });
  }
};

/** A link may lead to someone else's files: nothing is read, written or deleted there. */
const clearWay = async (folder: string, name: string): Promise<void> => {
  if (await isLink(folder))
    throw new StartFailure(
      "away",
      "Its files can't be stored on this server: the plugins folder is a symbolic link",
    );
  // Removes the link itself, not its target.
  if (await isLink(join(folder, name))) await rm(join(folder, name), { force: true });
};

const isLink = async (place: string): Promise<boolean> => {
  try {
    return (await lstat(place)).isSymbolicLink();
  } catch {
    // A missing folder is created later, and an unreadable one fails when it is used.
    return false;
  }
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Returns a function that reads them on its first call. */
export const createBundledContents = (
  bundled: readonly BundledPlugin[],
): (() => Promise<BundledContents>) => {
  const look = async (): Promise<BundledContents> => {
    const contents = new Map<string, readonly string[]>();
    for (const { name, packed, released } of bundled)
      contents.set(name, [await contentHash(await packed()), ...released]);
    return contents;
  };
  let looking: Promise<BundledContents> | null = null;
  return () => {
    // Of a clone that is built meanwhile.
    looking ??= look().catch((error) => {
      looking = null;
      throw error;
    });
    return looking;
  };
};
