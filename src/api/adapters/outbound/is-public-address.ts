import { isIPv4, isIPv6 } from "node:net";
import { isForbiddenAddress } from "./forbidden-address.ts";

/**
 * Whether an IP address, without brackets, belongs to the public internet: neither forbidden everywhere nor private,
 * shared, for documentation or for measurements. Source: IANA's special-purpose address registries.
 */
export const isPublicAddress = (address: string): boolean => {
  if (isForbiddenAddress(address)) return false;
  if (isIPv4(address)) return !special4.some((range) => range.test(address));
  if (!isIPv6(address)) return false;
  // One form for each address; only 2000::/3 is handed out.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  return /^[23][0-9a-f]{3}:/.test(plain) && !special6.some((range) => range.test(plain));
};

const special4 = [
  /^(?:10|127)\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^192\.168\./,
  /^192\.0\.[02]\./,
  /^192\.88\.99\./,
  /^198\.1[89]\./,
  /^198\.51\.100\./,
  /^203\.0\.113\./,
];

// Documentation, benchmarks, and overlay identifiers: 2001::/23 but for what is handed out of it is none of the net's.
const special6 = [/^2001:(?:0|[0-9a-f]{1,2}|1[0-9a-f]{2}|db8)?:/, /^3fff:0?[0-9a-f]{0,3}:/];
