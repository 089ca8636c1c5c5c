import type { Circumstances } from "#api/core/circumstances.ts";

// In UTC, and said so: nobody knows in which zone a mail is read.
const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** When, from where and with what, a line for each. */
export const circumstanceLines = ({ at, ip, device }: Circumstances): string[] => [
  `Time: ${time.format(at)} UTC`,
  `Address: ${ip}`,
  `Device: ${device}`,
];
