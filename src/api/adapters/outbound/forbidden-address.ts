import { isIPv4, isIPv6 } from "node:net";

// Where clouds hand out the machine's own credentials or steer it, outside the link-local range too: Alibaba Cloud, Azure
// and Oracle; then, over IPv6, Google, Oracle, Scaleway, Akamai and Alibaba Cloud.
const metadataAddresses = [
  ...["100.100.100.200", "168.63.129.16", "192.0.0.192"],
  ...["fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "fd00:a9fe:a9fe::1", "fd00:100::100:200"],
];

/**
 * Whether an IP address, without brackets, is one that nothing is ever sent to: link-local, metadata, unspecified,
 * multicast, reserved, or IPv4 in IPv6's clothes. What is no IP address is forbidden too.
 */
export const isForbiddenAddress = (address: string): boolean => {
  if (isIPv4(address)) return isForbiddenIPv4(address);
  const url = `http://[${address}]/`;
  if (!isIPv6(address) || !URL.canParse(url)) return true;
  // URL brings any spelling into one form.
  return isForbiddenIPv6(new URL(url).hostname.slice(1, -1));
};

const isForbiddenIPv4 = (address: string): boolean =>
  /^(?:169\.254|0)\./.test(address) ||
  /^(?:22[4-9]|2[345]\d)\./.test(address) ||
  metadataAddresses.includes(address);

// Amazon keeps fd00:ec2::/32 for services of the machine: metadata, credentials of pods, time and names.
// Mapped, compatible, translated (NAT64, 6to4) and tunnelled (Teredo) addresses have an IPv4 address in them.
const isForbiddenIPv6 = (address: string): boolean =>
  /^(?:fe[89ab]|ff|fd00:ec2:)/.test(address) ||
  /^(?:::(?!1$)|64:ff9b:|2002:|2001:(?::|0:))/.test(address) ||
  metadataAddresses.includes(address);
