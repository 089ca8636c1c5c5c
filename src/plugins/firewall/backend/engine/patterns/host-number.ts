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
