import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CliFailure } from "./failure.ts";

/** Where what is written to a path goes: a file, or a name for one, or `null` for what is no file and gets the bytes as they come. */
export type PlaceToWrite = { isThere: boolean; file: string | null; pour: () => Promise<FileHandle> };

// A link that leads to itself; the number is Linux's (path_resolution(7)).
const mostLinks = 40;

/**
 * Follows the links of a path to where it can be written. In a folder where others may write, what they put under the
 * name must not get what is meant for the caller: throws `UNWRITABLE` for a link that is neither the caller's nor of
 * whom its folder belongs to, for a pipe or device of somebody else, for a link to nothing, and for a folder. The
 * caller's own descriptors (`/dev/stdout`, `/dev/fd/63`) may be anybody's. `pour` looks once more, at what it opened.
 */
export const findPlaceToWrite = async (path: string): Promise<PlaceToWrite> => {
  const refuse = (why: string): never => {
    throw new CliFailure("UNWRITABLE", `cannot write ${path}: ${why}`);
  };
  const checkStream = (stats: Stats): void => {
    if (!isTrusted(stats.uid))
      refuse("it is a pipe or a device of somebody else, who could read what it gets");
  };

  let place = path;
  let found = await lstat(place).catch(absent);
  for (let links = 0; found?.isSymbolicLink(); links += 1) {
    if (links === mostLinks) refuse("its links lead round in a circle");
    const folder = await realpath(dirname(place));
    if (folder === (await realpath("/proc/self/fd").catch(absent))) return ownDescriptor(place);
    if (!isTrusted(found.uid) && found.uid !== (await stat(folder)).uid)
      refuse(`${place} is a link that somebody else has put there`);
    const target = await readlink(place);
    place = target.startsWith("/") ? target : `${folder}/${target}`;
    found = await lstat(place).catch(absent);
    if (found === null) refuse("it is a link to a file that is not there");
  }
  if (found?.isDirectory()) refuse("it is a folder");
  const isFile = found === null || found.isFile();
  if (found !== null && !isFile) checkStream(found);
  return {
    isThere: found?.isFile() === true,
    file: isFile ? place : null,
    pour: async () => {
      const handle = await open(place, streamFlags | constants.O_NOFOLLOW);
      try {
        checkStream(await handle.stat());
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
  };
};

/**
 * What the caller handed over open is theirs to write to, whoever made it: `sudo atrium … --out /dev/stdout | ssh …`. A file
 * is one that is there: opened once more, it would be written at its beginning, and then over by what the command prints.
 */
const ownDescriptor = async (path: string): Promise<PlaceToWrite> => {
  const isThere = (await stat(path)).isFile();
  return { isThere, file: isThere ? await realpath(path) : null, pour: () => open(path, streamFlags) };
};

const streamFlags = constants.O_WRONLY | constants.O_NOCTTY;

/** Root may read everything anyway. A system without users has nobody else. */
const isTrusted = (uid: number): boolean => {
  const self = process.geteuid?.();
  return self === undefined || uid === self || uid === 0;
};

// Whatever else keeps a place from being looked at keeps it from being written, which has the better words.
const absent = (): null => null;
