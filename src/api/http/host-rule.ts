const hostPattern = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** The name or address in a `Host` header, in lower case and without its port; `null` when it is absent or malformed. */
export const hostNameOf = (host: string | null): string | null =>
  hostPattern.exec(host?.toLowerCase() ?? "")?.[1] ?? null;

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const remembered = 256;

/**
 * A test whether a `Host` header names this server: the host of the public origin, the listed ones, and loopback.
 * Absent, repeated and malformed headers do not. Elysia takes the path from the 11th character of the URL,
 * so a host that is too short would shift the route: such names never pass.
 */
export const createHostRule = (
  appUrl: string,
  allowedHosts: string[],
): ((host: string | null) => boolean) => {
  const names = new Set([
    ...loopbackNames,
    new URL(appUrl).hostname,
    ...allowedHosts.map((host) => host.toLowerCase()),
  ]);
  const decided = new Map<string, boolean>();
  return (host) => {
    if (host === null) return false;
    const known = decided.get(host);
    if (known !== undefined) return known;
    const name = hostNameOf(host);
    const isOurs = name !== null && name.length >= 4 && names.has(name);
    if (decided.size < remembered) decided.set(host, isOurs);
    return isOurs;
  };
};
