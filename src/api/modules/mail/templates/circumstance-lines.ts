import type { Circumstances } from "#api/core/circumstances.ts";

// In UTC, and said so: nobody knows in which zone a mail is read.
const inUtc = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;

/** When, from where and with what, a line for each. */
export const circumstanceLines = ({ at, ip, device }: Circumstances): string[] => [
  // Made for each mail: the first one made costs a start more time than reading a module does.
  `Time: ${new Intl.DateTimeFormat("en-GB", inUtc).format(at)} UTC`,
  `Address: ${ip}`,
  `Device: ${device}`,
];
