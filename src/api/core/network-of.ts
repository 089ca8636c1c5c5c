/**
 * What counts as one caller for a limit: an IPv4 address, or the /64 network of a compressed IPv6 address, of which
 * one subscriber usually has 2^64.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
};
