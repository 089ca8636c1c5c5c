import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig, readDataDir } from "#api/config.ts";
import { providerVariablesIn, secretInFile } from "./oidc-providers.ts";
import { ConfigError, type Environment, maskValue, textOf, type Variable } from "./variable.ts";
import { variables } from "./variables.ts";

/** One line of the effective configuration; secrets in `value` are masked, `problem` is what was expected instead. */
export type ConfigRow = {
  variable: string;
  value: string;
  source: "environment" | "default";
  problem: string | null;
};

/** The effective configuration, one row for each variable, also when parts of it cannot be used. */
export const describeConfig = (env: Environment): ConfigRow[] => {
  const { config, expected } = tryConfig(env);
  const known: Variable<unknown>[] = [...Object.values(variables), ...providerVariablesIn(env)];
  return known.map((variable) => {
    const text = textOf(env, variable);
    return {
      variable: variable.name,
      value: text === null ? effectiveDefault(variable, config) : maskValue(variable, text),
      source: text === null ? "default" : "environment",
      problem: expected.get(variable.name) ?? null,
    };
  });
};

const tryConfig = (env: Environment): { config: Config | null; expected: Map<string, string> } => {
  try {
    return { config: readConfig(env), expected: new Map() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      config: null,
      expected: new Map(error.problems.map(({ variable, expected }) => [variable, expected])),
    };
  }
};

// Defaults that follow from other variables are shown as what they came to.
const effectiveDefault = (variable: Variable<unknown>, config: Config | null): string => {
  if (config === null) return variable.whenUnset;
  const { port, appUrl, dataDir, mailFrom, trustedProxies, logFormat } = config;
  const derived = new Map<string, string>([
    ["APP_URL", `http://localhost:${port === 0 ? "<port>" : port}`],
    ["DATA_DIR", dataDir],
    ["MAIL_FROM", mailFrom],
    ["ALLOWED_HOSTS", appUrl === null ? "loopback only" : new URL(appUrl).hostname],
    ["TRUSTED_PROXIES", trustedProxies.join(", ") || "none"],
    ["LOG_FORMAT", logFormat],
  ]);
  return derived.get(variable.name) ?? variable.whenUnset;
};

/**
 * Every secret that the environment or the key file holds, in each spelling in which it may turn up: to strike it from
 * what is shown, whatever else is wrong with the configuration.
 */
export const secretsIn = (env: Environment): string[] => {
  const known: Variable<unknown>[] = [...Object.values(variables), ...providerVariablesIn(env)];
  const own = known.flatMap(({ hides, name }) => spellings(hides, env[name]?.trim() ?? ""));
  const inFiles = Object.entries(env)
    .filter(([name]) => /^OIDC_\w+_CLIENT_SECRET_FILE$/.test(name))
    .map(([, path]) => secretInFile(path?.trim() ?? "") ?? "");
  const given = Object.entries(env)
    .filter(([name]) => /^ATRIUM_.*(?:TOKEN|PASSPHRASE|PASSWORD|SECRET)/.test(name))
    .map(([, value]) => value?.trim() ?? "");
  const all = [...own, ...given, ...inFiles, keyFile(join(readDataDir(env), "app.key"))];
  // What is shorter guards nothing, and would be struck from half of all words.
  return [...new Set(all)].filter((text) => text.length >= leastLength).sort((a, b) => b.length - a.length);
};

const spellings = (hides: Variable<unknown>["hides"], text: string): string[] => {
  if (hides === "nothing") return [];
  if (hides === "all") return [text, ...partsOf(text), ...decoded(text)];
  const password = /:\/\/[^/?#]*?:(.*)@/.exec(text)?.[1] ?? /:\/\/(.*)@/.exec(text)?.[1] ?? "";
  return [password, ...decoded(password)];
};

// Headers for a collector are pairs, of which the values are secret.
const partsOf = (text: string): string[] =>
  text
    .split(",")
    .map((pair) => /^\s*[\w-]+=(.+)$/.exec(pair)?.[1] ?? "")
    .flatMap((value) => [value, ...decoded(value)]);

const decoded = (text: string): string[] => {
  try {
    return [decodeURIComponent(text)];
  } catch {
    // A per cent sign that begins nothing: then it is written as it is.
    return [];
  }
};

const keyFile = (path: string): string => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
};

const leastLength = 6;
