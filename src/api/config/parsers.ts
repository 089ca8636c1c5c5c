import { existsSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { emailComplaint } from "#contract/account-rules.ts";
import { isLoopback, plainServiceUrl } from "#contract/endpoints.ts";
import { decodes } from "./variable.ts";

/** Reads a text; `undefined` when it is unusable. */
type Parse<T> = (text: string) => T | undefined;

const hostNamePattern =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** A comma-separated list without empty entries, each read by `parse`; unusable when one entry is. */
export const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (text) => {
    const items = text.split(",").map((entry) => parse(entry.trim()));
    const usable = items.filter((item) => item !== undefined);
    return usable.length === items.length ? usable : undefined;
  };

/** One of a few words. */
export const oneOf =
  <const T extends string>(words: readonly T[]): Parse<T> =>
  (text) =>
    words.find((word) => word === text);

/** `1` or `0`. */
export const switchValue: Parse<boolean> = (text) =>
  text === "1" || text === "0" ? text === "1" : undefined;

/** A TCP port; 0 asks the system for a free one. */
export const portNumber: Parse<number> = (text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;

/** Whole seconds, 300 at most. */
export const stopDelay: Parse<number> = (text) =>
  /^\d{1,3}$/.test(text) && Number(text) <= 300 ? Number(text) : undefined;

/** Whole megabytes, a million at most. */
export const megabytes: Parse<number> = (text) =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= 1_000_000 ? Number(text) : undefined;

/** `host:port`, an IPv6 address in brackets; port 0 asks the system for a free one. */
export const hostAndPort: Parse<{ host: string; port: number }> = (text) => {
  const [, bracketed, plain = "", digits = ""] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const [host, port] = [listenAddress(bracketed ?? plain), portNumber(digits)];
  return host === undefined || port === undefined ? undefined : { host, port };
};

/** A share, from 0 to 1. */
export const ratio: Parse<number> = (text) =>
  /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text) ? Number(text) : undefined;

/** `name=value,…` as OpenTelemetry writes headers: values are percent-encoded. */
export const headerPairs: Parse<Record<string, string>> = (text) => {
  const pairs = text
    .split(",")
    .map((pair) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair));
  try {
    const read = pairs.map((pair) => pair && [pair[1]?.toLowerCase(), decodeURIComponent(pair[2] ?? "")]);
    return read.some((pair) => pair === null || /[\r\n\0]/.test(pair[1] ?? ""))
      ? undefined
      : Object.fromEntries(read.filter((pair) => pair !== null));
  } catch {
    // A per cent sign that begins nothing.
    return undefined;
  }
};

/** An IP address without brackets, or a host name. */
export const listenAddress: Parse<string> = (text) =>
  (isIP(text) > 0 && !text.includes("%")) || isHostName(text) ? text : undefined;

/** The absolute path of a file that exists. */
export const existingFile: Parse<string> = (text) =>
  existsSync(text) && statSync(text).isFile() ? resolve(text) : undefined;

/** Text without white space. */
export const word: Parse<string> = (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined);

/** An `http` or `https` origin without path, query or user, as browsers spell it. */
export const origin: Parse<string> = (text) =>
  /^https?:\/\/[^/?#]+\/?$/i.test(text) ? httpUrl(text)?.origin : undefined;

/** A public origin: `https`, or `http` on this machine. Host names shorter than four characters are never served. */
export const publicOrigin: Parse<string> = (text) => {
  const value = origin(text);
  return value && isProtected(new URL(value)) && new URL(value).hostname.length >= 4 ? value : undefined;
};

/** The address of a web service without trailing slash: `https`, or `http` on this machine. */
export const serviceUrl: Parse<string> = (text) => plainServiceUrl(text) ?? undefined;

/** An `http` or `https` address, with a path or without. */
export const collectorUrl: Parse<string> = (text) => (httpUrl(text) ? text.replace(/\/+$/, "") : undefined);

/** `postgres://…` or `postgresql://…` with a host: the driver takes no socket's folder from a URL. */
export const postgresUrl: Parse<string> = (text) => {
  const url = urlOf(text, ["postgres:", "postgresql:"]);
  if (url === null || url.hostname === "" || url.searchParams.has("host")) return undefined;
  const wanted = url.searchParams.get("target_session_attrs");
  // What the driver could not read it would throw, the session's kind with the value in its message.
  const isReadable = decodes(authorityOf(text)) && (wanted === null || sessionKinds.includes(wanted));
  return isReadable ? text : undefined;
};

/** User, password, host and port, as they are written. */
const authorityOf = (url: string): string => url.slice(url.indexOf("://") + 3).split(/[?/]/)[0] ?? "";

/** Source: postgres.js, `tsa`. */
const sessionKinds = ["read-write", "read-only", "primary", "standby", "prefer-standby"];

/** `redis[s]://[[user]:password@]host[:port][/db]`. */
export const redisUrl: Parse<string> = (text) => {
  const url = urlOf(text, ["redis:", "rediss:"]);
  return url && url.hostname !== "" && /^(?:\/\d{0,5})?$/.test(url.pathname) ? text : undefined;
};

/** `smtp://` or `smtps://` with a host. */
export const smtpUrl: Parse<string> = (text) => {
  const url = urlOf(text, ["smtp:", "smtps:"]);
  return url && url.hostname !== "" && /^\/?$/.test(url.pathname) ? text : undefined;
};

/** `name@host` or `Some Name <name@host>`; the host may be `localhost`. */
export const mailbox: Parse<string> = (text) => {
  const named = /^(?:"[^"<>\p{Cc}]*"|[^"<>,;@\p{Cc}]*)\s*<([^<>]+)>$/u.exec(text);
  return emailAddress(named?.[1] ?? text) === undefined ? undefined : text;
};

/** One email address; the host may be `localhost`. */
export const emailAddress: Parse<string> = (text) =>
  emailComplaint(text.replace(/@localhost$/i, "@localhost.localdomain")) === null ? text : undefined;

/** An address or a range in CIDR form, or the word `loopback`. */
export const addressRange: Parse<string> = (text) => {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (text === "loopback") return text;
  if (family === 0 || address.includes("%") || rest.length > 0) return undefined;
  if (prefix === undefined) return text;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128) ? text : undefined;
};

/** A domain, as of email addresses, in lower case. */
export const domainName: Parse<string> = (text) =>
  isHostName(text) && text.includes(".") ? text.toLowerCase() : undefined;

/** A host as in a `Host` header, without port: a name of at least four characters, `10.0.0.1`, or `[::1]`. */
export const servedHost: Parse<string> = (text) => {
  const isAddress =
    isIP(text) === 4 || (text.startsWith("[") && text.endsWith("]") && isIP(text.slice(1, -1)) === 6);
  return isAddress || (isHostName(text) && text.length >= 4) ? text.toLowerCase() : undefined;
};

/** An ed25519 public key: 32 bytes as base64 or base64url. */
export const publicKey: Parse<string> = (text) =>
  /^[\w+/-]{43}=?$/.test(text) && Buffer.from(text, "base64").length === 32 ? text : undefined;

const isProtected = (url: URL): boolean => url.protocol === "https:" || isLoopback(url);

const isHostName = (text: string): boolean => hostNamePattern.test(text) && !/^[\d.]+$/.test(text);

const urlOf = (text: string, protocols: readonly string[]): URL | null => {
  const url = /\s/.test(text) ? null : URL.parse(text);
  return url && protocols.includes(url.protocol) ? url : null;
};

const httpUrl = (text: string): URL | null => {
  const url = /^https?:\/\//i.test(text) ? urlOf(text, ["http:", "https:"]) : null;
  return url && url.username === "" && url.password === "" ? url : null;
};
