import { type Config, readConfig } from "#api/config.ts";
import { providerVariablesIn } from "./oidc-providers.ts";
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
