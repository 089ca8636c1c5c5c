import { isIPv4, isIPv6 } from "node:net";
import { OutboundError } from "./outbound-error.ts";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
// Where clouds hand out the machine's own credentials.
const metadataNames = ["metadata.google.internal", "metadata.goog", "instance-data"];
const metadataAddress = "[fd00:ec2::254]";

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
  if (metadataNames.includes(name) || name === metadataAddress) return true;
  if (isIPv4(name)) return isForbiddenIPv4(name);
  const inner = name.slice(1, -1);
  return name.startsWith("[") && isIPv6(inner) && isForbiddenIPv6(inner);
};

const isForbiddenIPv4 = (address: string): boolean =>
  address.startsWith("169.254.") || address.startsWith("0.") || /^(?:22[4-9]|2[345]\d)\./.test(address);

// Link-local, multicast, unspecified, and IPv4 in IPv6's clothes: mapped, compatible, translated (NAT64, 6to4).
const isForbiddenIPv6 = (address: string): boolean =>
  /^(?:fe[89ab]|ff)/.test(address) || /^(?:::(?!1$)|64:ff9b:|2002:)/.test(address);
