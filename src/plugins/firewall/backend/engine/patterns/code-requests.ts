import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";

const base = {
  category: "code-injection",
  paranoia: 1,
  severity: "critical",
  places: ["query", "body", "cookie", "path"],
  view: "plain",
} as const;

/** Addresses that a server is to ask in somebody's place: its own, its neighbours', its cloud's. */
export const requestPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 4060,
    title: "Address of a cloud's metadata",
    needs: [":"],
    find: (text) => findHost(text, isMetadata),
  },
  {
    ...base,
    id: 4061,
    title: "Address of the server itself",
    needs: [":"],
    find: (text) => findHost(text, isOwn),
  },
  matching(
    { ...base, id: 4062, title: "Name of the server itself, as an address", needs: ["/"] },
    /^\s{0,8}(?:localhost(?:\.localdomain|[46])?|local(?:domain|net)|ip6-(?:localhost|loopback|localnet)|ipv6-(?:localhost|loopback)|localtest\.me|(?:[\w-]{1,40}\.)?kubernetes\.default(?:\.svc(?:\.cluster\.local)?)?|(?:docker|gateway|host)\.(?:docker\.)?internal|rancher-metadata|metadata(?:\.google(?:\.internal)?)?|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|169\.254\.169\.254|instance-data(?:\.ec2\.internal)?)(?::\d{1,5})?\/\S{0,200}\s{0,4}$/,
  ),
  {
    ...base,
    id: 4105,
    title: "Address of a private network",
    paranoia: 2,
    needs: [":"],
    find: (text) => findHost(text, isPrivate),
  },
];

/** An address in a text; `number` is that of version 4 that its host stands for, `null` for names. */
type Target = {
  piece: string;
  scheme: string;
  host: string;
  number: number | null;
  port: number | null;
  hasPath: boolean;
  isOdd: boolean;
};

/** A value that begins with two slashes takes its scheme from where it is used. */
const start = /(?:\b([a-z][a-z0-9+.-]{1,16}):|^\s{0,8}(?=\/\/))(\/{0,4}|\\{1,2})(?=[\w[@%.-])/g;
const hostForm =
  /^(?:\[([\da-f:.%\w]{2,60})\]|([\da-z](?:[\w-]|[.\u3002](?=\w)){0,250}))\.?(?::(\d{1,5}))?(?![\w:])/;

const findHost = (text: string, isMeant: (target: Target) => boolean): string | null =>
  targetsIn(text).find(isMeant)?.piece ?? null;

let last: { text: string; targets: readonly Target[] } = { text: "", targets: [] };

/** The addresses in a text; patterns ask one after the other for the same text. */
const targetsIn = (text: string): readonly Target[] => {
  if (last.text !== text) last = { text, targets: readTargets(text) };
  return last.targets;
};

const readTargets = (text: string): Target[] => {
  const targets: Target[] = [];
  const ascii = /[\u0080-\uffff]/.test(text) ? text.normalize("NFKC") : text;
  for (const match of ascii.matchAll(start)) {
    const [piece, scheme = "http", slashes = ""] = match;
    if (slashes === "" && !/^(?:https?|ftp|url|file|gopher)$/.test(scheme)) continue;
    const from = match.index + piece.length;
    const authority = /^[^\s/?#\\"'<>]{0,300}/.exec(ascii.slice(from, from + 300))?.[0] ?? "";
    const [, v6, name = "", port] = hostForm.exec(authority.slice(authority.lastIndexOf("@") + 1)) ?? [];
    const host = (v6 ?? name).replace(/\u3002/g, ".").replace(/%\w+$/, "");
    if (host === "") continue;
    const isOdd = v6 !== undefined || slashes !== "//" || !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
    targets.push({
      ...{ piece: piece + authority, scheme, host, isOdd },
      number: host.includes(":") ? mappedNumber(host) : hostNumber(host),
      hasPath: ascii[from + authority.length] === "/",
      port: port === undefined ? null : Number(port),
    });
  }
  return targets;
};

/** Link-local, and the addresses that Alibaba, Oracle and others use. */
const isMetadata = ({ host, hasPath, number }: Target): boolean => {
  if (
    hasPath &&
    /^(?:metadata\.google\.internal|metadata|rancher-metadata|instance-data(?:\.\w.*)?|metadata\.(?:azure|packet|platformequinix|tencentyun)\.\w.*)$/.test(
      host,
    )
  )
    return true;
  if (/169[.-]254[.-]169[.-]254/.test(host) || host.startsWith("fd00:ec2:")) return true;
  if (number === null) return false;
  return number >>> 16 === 0xa9fe || number === 0x646464c8 || number === 0xc00000c0;
};

/** Services that listen on many servers for themselves alone. */
const inner = new Set([
  2049, 2375, 2376, 2379, 3306, 4243, 5000, 5432, 5601, 5984, 6379, 6443, 7001, 8001, 8500, 9200, 9300, 10250,
  10255, 11211, 15672, 27017, 50070,
]);

const isOwn = ({ host, number, port, scheme, hasPath, isOdd }: Target): boolean => {
  const isWeb = /^(?:https?|ftps?|gopher|dict|url|tftp)$/.test(scheme);
  const isInner = port === null || port < 1024 || inner.has(port);
  if (/^localhost(?:\.localdomain)?$/.test(host)) return isWeb && isInner;
  if (
    /^(?:localtest\.me|(?:.+\.)?(?:lvh\.me|vcap\.me|localdomain\.pw)|spoofed\.burpcollaborator\.net|(?:.*\.)?(?:127\.\d+\.\d+\.\d+|10\.0\.0\.1)\.(?:nip|xip|sslip)\.io|ip6-localhost|kubernetes\.default(?:\.svc.*)?|.*\.svc\.cluster\.local)$/.test(
      host,
    )
  )
    return true;
  if (hasPath && /^(?:[\w-]{1,63}\.){0,4}(?:internal|intranet|localdomain|corp|lan)$/.test(host)) return true;
  if (number === null || !isWeb) return false;
  const isLoopback = number >>> 24 === 127 || number >>> 24 === 0;
  return isLoopback && (isOdd || isInner || number !== 0x7f000001);
};

const isPrivate = ({ host, number, scheme, isOdd }: Target): boolean => {
  if (/^(?:localhost|.*\.(?:internal|local|localdomain|nip\.io|xip\.io|sslip\.io))$/.test(host)) return true;
  if (host.includes(":")) return true;
  if (number === null) return false;
  const first = number >>> 24;
  const isInside =
    first === 10 || first === 127 || first === 0 || number >>> 20 === 0xac1 || number >>> 16 === 0xc0a8;
  return isInside || (isOdd && /^(?:https?|ftp)$/.test(scheme));
};

/**
 * The address that a host stands for where programs read it as `inet_aton` does: one to four numbers, each decimal,
 * octal or hexadecimal, the last one filling what is left. `null` for names.
 */
export const hostNumber = (host: string): number | null => {
  const parts = host.replace(/\.$/, "").split(".");
  if (parts.length > 4 || parts.some((part) => !/^(?:0x[\da-f]{0,16}|\d{1,16})$/.test(part))) return null;
  const numbers = parts.map(readNumber);
  const last = numbers.pop() ?? 0;
  const room = 256 ** (4 - numbers.length);
  const high = numbers.reduce((sum, part, at) => sum + (part & 255) * 256 ** (3 - at), 0);
  return (high + (last % room)) % 2 ** 32;
};

/** The address of version 4 within one of version 6 (`::ffff:7f00:1`, `::ffff:127.0.0.1`, `::`, `::1`); `null` for others. */
export const mappedNumber = (host: string): number | null => {
  if (/^[0:]{2,40}$/.test(host)) return 0;
  if (/^[0:]{1,40}:0{0,3}1$/.test(host)) return 0x7f000001;
  const match =
    /^(?:64:ff9b:|[0:]{0,24}:(?:ffff:(?:0{1,4}:)?)?|[0:]{1,24}ffff:)(?:([\da-f]{1,4}):([\da-f]{1,4})|:?(\d{1,3}(?:\.\d{1,3}){3}))$/.exec(
      host,
    );
  if (match === null) return null;
  if (match[3] !== undefined) return hostNumber(match[3]);
  return Number.parseInt(match[1] ?? "0", 16) * 65536 + Number.parseInt(match[2] ?? "0", 16);
};

const readNumber = (part: string): number => {
  if (part.startsWith("0x")) return Number.parseInt(part.slice(2) || "0", 16);
  return /^0[0-7]+$/.test(part) ? Number.parseInt(part, 8) : Number(part);
};
