import { accessSync, constants, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { ConfigError } from "./config-error.ts";
import type { Environment } from "./variable.ts";

/**
 * `env` completed by the file `.env` in `folder`: what the environment already holds, even empty, wins.
 * Without the file nothing is added; an unreadable one throws {@link ConfigError}.
 */
export const withEnvFile = (folder: string, env: Environment): Environment => ({
  ...parseEnv(readEnvFile(join(folder, ".env"))),
  ...definedOnly(env),
});

const readEnvFile = (path: string): string => {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    // A folder that is closed to this user, such as where somebody else called from, tells of no file.
    if ((error instanceof Error && "code" in error && error.code === "ENOENT") || !mayEnter(dirname(path)))
      return "";
    throw new ConfigError([{ variable: ".env", value: path, expected: "a readable file, or none" }]);
  }
};

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
