import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { ConfigError, type Environment } from "./variable.ts";

/**
 * `env` completed by the file `.env` in `folder`. Values in the environment, even empty ones, win; which server a
 * command calls is never read from the file. Without the file nothing is added. A file that is unreadable, not a
 * regular file, too large or owned by another user throws {@link ConfigError}.
 */
export const withEnvFile = (folder: string, env: Environment): Environment => ({
  ...withoutTarget(parseEnv(readEnvFile(join(folder, ".env")))),
  ...definedOnly(env),
});

/** A folder that was unpacked or cloned must not say to whom a token of the caller's environment, passwords and settings go. */
const withoutTarget = ({ ATRIUM_URL: _url, ATRIUM_TOKEN: _token, ...others }: Environment): Environment =>
  others;

const readEnvFile = (path: string): string => {
  try {
    // A pipe without a writer would otherwise be waited for.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const complaint = complaintAbout(path, { link: lstatSync(path), file: fstatSync(descriptor) });
      if (complaint !== null) throw unusable(path, complaint);
      return readFileSync(descriptor, "utf8").replace(/^\uFEFF/, "");
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // In a folder that this user cannot read, such as another user's, there is no file.
    if ((error instanceof Error && "code" in error && error.code === "ENOENT") || !mayEnter(dirname(path)))
      return "";
    throw unusable(path, "a readable file, or none");
  }
};

const maxBytes = 1_000_000;
const othersWriting = 0o002;

/**
 * What is expected instead of a file that must not be read or trusted, or `null`. `link` is the entry at the path,
 * which may be a link to `file`: its owner chose the target.
 */
const complaintAbout = (path: string, { link, file }: { link: Stats; file: Stats }): string | null => {
  if (!file.isFile() || file.size > maxBytes) return "a regular file of 1 MB at most, or none";
  const user = process.getuid?.();
  const foreign = [link, file].find(({ uid }) => user !== undefined && uid !== user && uid !== 0);
  if (foreign !== undefined)
    return `a file of your own or root's, but it belongs to the user with the id ${foreign.uid}: run this in another folder, or review the file and make it yours with chown ${foreign === link ? "-h " : ""}${user} ${path}`;
  if ((file.mode & othersWriting) !== 0)
    return `a file that only its owner (the user with the id ${file.uid}) can change, but every user can: review it, then run chmod o-w ${path}`;
  return null;
};

const unusable = (path: string, expected: string): ConfigError =>
  new ConfigError([{ variable: ".env", value: path, expected }]);

const mayEnter = (folder: string): boolean => {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const definedOnly = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
