import { join, resolve } from "node:path";
import type { LogLevel } from "#api/core/log.ts";
import type { OidcProvider } from "#api/core/providers.ts";
import type { TraceSampler } from "#api/core/tracer.ts";
import { isLoopback } from "#contract/endpoints.ts";
import { readOidcProviders, sharedIssuers } from "./config/oidc-providers.ts";
import {
  ConfigError,
  type ConfigProblem,
  type Environment,
  maskValue,
  textOf,
  type Variable,
} from "./config/variable.ts";
import { variables } from "./config/variables.ts";

/** What the provider of a social sign-in gave us; `null` in the configuration means that this sign-in is off. */
type OAuthClient = { clientId: string; clientSecret: string };

/** Everything that the environment decides, parsed and frozen. For operators: docs/configuration.md. */
export type Config = {
  /** Address to listen on. */
  host: string;
  /** Port to listen on; 0 takes a free one. */
  port: number;
  /** Seconds for which a stopping server keeps answering while it reports not ready. */
  stopDelayS: number;
  /** Public origin; `null` means `http://localhost:<actual port>`. */
  appUrl: string | null;
  passkeyRpId: string | null;
  /** Absolute path. */
  dataDir: string;
  /** Absolute path of the socket on which the operator's commands reach a running server. */
  controlSocket: string;
  /** `null`: the embedded database. */
  databaseUrl: string | null;
  redisUrl: string | null;
  /** `null`: the key file in the data folder. */
  appSecret: string | null;
  appSecretPrevious: string | null;
  /** `null`: emails are only saved to the outbox folder. */
  smtpUrl: string | null;
  mailFrom: string;
  /** Whether the operator chose it; otherwise its name is the site's. */
  isMailFromChosen: boolean;
  contactEmail: string | null;
  google: OAuthClient | null;
  github: OAuthClient | null;
  googleIssuer: string;
  /** The previous issuer, whose subjects are the users of `googleIssuer`; `null` without one. */
  googleFormerIssuer: string | null;
  githubBaseUrl: string;
  /** The same for GitHub servers. */
  githubFormerBaseUrl: string | null;
  githubApiUrl: string;
  oidcProviders: OidcProvider[];
  s3Endpoints: string[];
  /** Addresses, CIDR ranges, or the word `loopback`. */
  trustedProxies: string[];
  /** Absolute path of a file that existed at the start. */
  geoipDb: string | null;
  siteFile: string | null;
  pluginTrustedKeys: string[];
  pluginAllowUnsigned: boolean;
  pluginAllowNative: boolean;
  /** How much each plugin may keep, in megabytes. */
  pluginDataMB: number;
  /** Whether assistants may come in at `/mcp`. */
  mcpEnabled: boolean;
  metricsToken: string | null;
  /** Where metrics are served without a token; `null`: nowhere. */
  metricsAddress: { host: string; port: number } | null;
  /** Where traces go, by OpenTelemetry's conventions; `null`: there are none. */
  otelEndpoint: string | null;
  otelHeaders: Record<string, string> | null;
  otelServiceName: string;
  otelSampler: TraceSampler;
  /** Share of traces for the samplers that go by one. */
  otelSamplerRatio: number;
  /** Host names served besides the public origin's and loopback, in lower case. */
  allowedHosts: string[];
  corsOrigins: string[];
  logLevel: LogLevel;
  logFormat: "pretty" | "json";
};

/**
 * Reads the whole configuration. Throws one {@link ConfigError} that names every unusable variable.
 * `isTerminal` decides how the log looks when nothing else does.
 */
export const readConfig = (env: Environment, isTerminal = process.stdout.isTTY === true): Config => {
  const problems: ConfigProblem[] = [];
  const read = <T>(variable: Variable<T>): T => {
    const text = textOf(env, variable);
    const value = text === null ? variable.fallback : variable.parse(text);
    if (value !== undefined) return value;
    problems.push({
      variable: variable.name,
      value: maskValue(variable, text ?? ""),
      expected: variable.expected,
    });
    return variable.fallback;
  };
  const readPair = (idVariable: Variable<string | null>, secretVariable: Variable<string | null>) => {
    const [clientId, clientSecret] = [read(idVariable), read(secretVariable)];
    problems.push(...missingHalf(env, idVariable, secretVariable));
    return clientId !== null && clientSecret !== null ? { clientId, clientSecret } : null;
  };

  const complain = (problem: ConfigProblem) => void problems.push(problem);

  // In the order in which problems are reported.
  const [host, port] = [read(variables.host), read(variables.port)];
  const [stopDelayS, appUrl] = [read(variables.stopDelayS), read(variables.appUrl)];
  const config: Config = {
    host,
    port,
    stopDelayS,
    appUrl,
    passkeyRpId: read(variables.passkeyRpId),
    dataDir: readDataDir(env),
    controlSocket: controlSocketIn(readDataDir(env)),
    databaseUrl: read(variables.databaseUrl),
    redisUrl: read(variables.redisUrl),
    appSecret: read(variables.appSecret),
    appSecretPrevious: read(variables.appSecretPrevious),
    smtpUrl: read(variables.smtpUrl),
    mailFrom: read(variables.mailFrom) ?? defaultSender(appUrl),
    isMailFromChosen: textOf(env, variables.mailFrom) !== null,
    contactEmail: read(variables.contactEmail),
    google: readPair(variables.googleClientId, variables.googleClientSecret),
    github: readPair(variables.githubClientId, variables.githubClientSecret),
    googleIssuer: read(variables.googleIssuer),
    googleFormerIssuer: read(variables.googleFormerIssuer),
    githubBaseUrl: read(variables.githubBaseUrl),
    githubFormerBaseUrl: read(variables.githubFormerBaseUrl),
    githubApiUrl: read(variables.githubApiUrl),
    oidcProviders: readOidcProviders({ env, read, complain }),
    s3Endpoints: read(variables.s3Endpoints),
    trustedProxies: read(variables.trustedProxies) ?? defaultProxies(host),
    geoipDb: read(variables.geoipDb),
    siteFile: read(variables.siteFile),
    pluginTrustedKeys: read(variables.pluginTrustedKeys),
    pluginAllowUnsigned: read(variables.pluginAllowUnsigned),
    pluginAllowNative: read(variables.pluginAllowNative),
    pluginDataMB: read(variables.pluginDataMB),
    mcpEnabled: read(variables.mcpEnabled),
    metricsToken: read(variables.metricsToken),
    metricsAddress: read(variables.metricsAddress),
    otelEndpoint: read(variables.otelEndpoint),
    otelHeaders: read(variables.otelHeaders),
    otelServiceName: read(variables.otelServiceName),
    otelSampler: read(variables.otelSampler),
    otelSamplerRatio: read(variables.otelSamplerRatio),
    allowedHosts: read(variables.allowedHosts),
    corsOrigins: read(variables.corsOrigins),
    logLevel: read(variables.logLevel),
    logFormat: read(variables.logFormat) ?? (isTerminal ? "pretty" : "json"),
  };
  problems.push(...sharedIssuers(config.oidcProviders, config.google ? [config.googleIssuer] : []));
  if (problems.length > 0) throw new ConfigError(problems);
  return frozen(config);
};

/** The absolute data folder alone, for callers that only look for a running server; every path is usable. */
export const readDataDir = (env: Environment): string =>
  resolve(textOf(env, variables.dataDir) ?? variables.dataDir.fallback);

/** Where a server that uses this data folder listens for the operator. */
export const controlSocketIn = (dataDir: string): string => join(dataDir, "control.sock");

const missingHalf = (env: Environment, ...pair: [Variable<unknown>, Variable<unknown>]): ConfigProblem[] => {
  const [given] = pair.filter((variable) => textOf(env, variable) !== null);
  const [absent, ...others] = pair.filter((variable) => textOf(env, variable) === null);
  if (!given || !absent || others.length > 0) return [];
  return [{ variable: absent.name, value: "", expected: `${absent.expected}, because ${given.name} is set` }];
};

/** Only then do all connections from loopback come from this machine or its proxy. */
const defaultProxies = (host: string): string[] =>
  isLoopback(new URL(`http://${host.includes(":") ? `[${host}]` : host}`)) ? ["loopback"] : [];

// An address has no mail domain of its own.
const defaultSender = (appUrl: string | null): string => {
  const host = appUrl === null ? "localhost" : new URL(appUrl).hostname;
  return `Atrium <no-reply@${/^[\d.]+$|^\[/.test(host) ? "localhost" : host}>`;
};

const frozen = (config: Config): Config => {
  for (const value of Object.values(config)) Object.freeze(value);
  return Object.freeze(config);
};
