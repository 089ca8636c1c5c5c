import { isIP } from "node:net";
import { isForbiddenAddress } from "./forbidden-address.ts";
import { OutboundError } from "./outbound-error.ts";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
// Where clouds hand out the machine's own credentials.
const metadataNames = ["metadata.google.internal", "metadata.goog", "instance-data"];

/** Whether the address leads to this very machine by one of its three names. */
export const isLoopback = ({ hostname }: URL): boolean => loopbackNames.includes(hostname);

/**
 * The address as a URL when it may be called: https, or http on loopback; without user name; not a link-local or metadata
 * address, however it is written. Throws an {@link OutboundError} otherwise.
 */
export const checkAddress = (address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.username !== "" || url.password !== "") throw new OutboundError("refused");
  const isProtected = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
  if (!isProtected || isForbidden(url.hostname)) throw new OutboundError("refused");
  return url;
};

// URL has brought numbers in any base and IPv6 in any spelling into one form by now.
const isForbidden = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, "");
  const inner = name.replace(/^\[|\]$/g, "");
  return isMetadataName(name) || (isIP(inner) > 0 && isForbiddenAddress(inner));
};

/** Whether a host name, in small letters, is one behind which clouds hand out the machine's own credentials. */
export const isMetadataName = (hostname: string): boolean =>
  metadataNames.includes(hostname.replace(/\.$/, ""));
