/** A Redis endpoint as it is kept, and the password that stood in it. */
export type RedisEndpoint = { endpoint: string; password: string | null };

const redisParts = /^(rediss?):\/\/(?:([^@]*)@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?(?:\/(\d+)?)?$/;

/**
 * Takes a Redis endpoint of the right form apart: what is kept has its host in small letters and no password, which
 * comes beside it, decoded. `null` for a text of another form.
 */
export const splitRedisEndpoint = (text: string): RedisEndpoint | null => {
  const parts = redisParts.exec(text.trim());
  if (parts === null) return null;
  const [, scheme = "", account = "", host = "", port, db] = parts;
  const colon = account.indexOf(":");
  const user = colon < 0 ? account : account.slice(0, colon);
  const password = colon < 0 ? "" : decoded(account.slice(colon + 1));
  if (password === null || decoded(user) === null) return null;
  const server = `${host.toLowerCase()}${port === undefined ? "" : `:${Number(port)}`}`;
  return {
    endpoint: `${scheme}://${user === "" ? "" : `${user}@`}${server}${db === undefined ? "" : `/${Number(db)}`}`,
    password: password === "" ? null : password,
  };
};

/** The text with its escapes undone; `null` when a percent sign begins none. */
export const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Nobody can know what was meant.
    return null;
  }
};

/** An S3 endpoint as it is kept: in small letters, without a slash at its end. */
export const plainS3Endpoint = (text: string): string => text.trim().replace(/\/$/, "").toLowerCase();

const defaultPorts: Record<string, string> = { redis: "6379", rediss: "6379", http: "80", https: "443" };

/** The server behind an endpoint that is kept, as `scheme://host:port`; empty where there is none. */
export const serverOf = (endpoint: string): string => {
  const [, scheme = "", host = "", port] =
    /^(\w+):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?/.exec(endpoint) ?? [];
  return scheme === "" ? "" : `${scheme}://${host.toLowerCase()}:${port ?? defaultPorts[scheme]}`;
};

/**
 * Whether secrets that were entered for one endpoint may be sent to another: to the same server, and never without the
 * TLS that was there. What was entered for none goes nowhere.
 */
export const keepsSecrets = (from: string, to: string): boolean => {
  const [old, next] = [serverOf(from), serverOf(to)];
  return old !== "" && (old === next || old.replace(/^redis:/, "rediss:") === next);
};

const ownLowPorts: Record<string, number[]> = {
  http: [80, 443],
  https: [80, 443],
  redis: [443],
  rediss: [443],
};
// Source: the Fetch standard, "port blocking"; those below 1024 are refused anyway.
const foreignPorts = [
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669],
  ...[6679, 6697, 10_080],
];

/**
 * Whether an endpoint names a port on which other kinds of services listen, such as mail or remote shells: words that
 * are meant for Redis or for storage are never said there.
 */
export const hasForeignPort = (endpoint: string): boolean => {
  const [, scheme = "", port] = /^(\w+):.*:(\d+)$/.exec(serverOf(endpoint)) ?? [];
  const number = Number(port);
  return number < 1024 ? ownLowPorts[scheme]?.includes(number) !== true : foreignPorts.includes(number);
};
