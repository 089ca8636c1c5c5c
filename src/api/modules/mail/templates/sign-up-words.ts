import { type Circumstances, roughNetworkOf } from "#api/core/circumstances.ts";

// In UTC, and said so: nobody knows in which zone a mail is read.
const inUtc = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;

/**
 * When, with what and from where a registration was made: for the owner of an address, who may be somebody else. Nothing
 * that was typed is in it.
 */
export const signUpWords = ({ at, ip, device }: Circumstances): string =>
  `on ${new Intl.DateTimeFormat("en-GB", inUtc).format(at)} UTC, from ${device}, network ${roughNetworkOf(ip)}`;
