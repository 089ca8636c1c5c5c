import { existsSync, readFileSync } from "node:fs";

const netAdmin = 1n << 12n;

/**
 * Whether this process may put a filter on a TCP socket whatever the kernel: newer ones ask for CAP_NET_ADMIN, which a
 * normal user does not have, nor root in most containers. Source: capabilities(7).
 */
export const mayFilter = (): boolean => {
  if (!existsSync("/proc/self/status")) return false;
  const [, held = "0"] = /^CapEff:\s*(\w+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return (BigInt(`0x${held}`) & netAdmin) !== 0n;
};
