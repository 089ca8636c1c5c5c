import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Config } from "#api/config.ts";
import { type Check, ok, warn } from "./check.ts";

const name = "public address";
const lookupMs = 3_000;

/** Whether mailed links and cookies will suit how people reach the server. */
export const checkOrigin = async ({ appUrl, host }: Pick<Config, "appUrl" | "host">): Promise<Check> => {
  if (appUrl === null) {
    return isLoopbackHost(host)
      ? ok(name, "http://localhost: for this machine only")
      : warn(
          name,
          `the server listens on ${host}, but without APP_URL it serves localhost only, and mailed links lead there`,
          "set APP_URL to the https address that people type",
        );
  }
  const { hostname, protocol } = new URL(appUrl);
  if (protocol === "http:" && !isLoopbackHost(host)) {
    return warn(
      name,
      `the server listens on ${host}, but APP_URL is ${appUrl}`,
      "set APP_URL to the address that people type",
    );
  }
  if (isIP(hostname.replace(/^\[|\]$/g, "")) > 0 || protocol === "http:") return ok(name, appUrl);
  return (await canLookUp(hostname))
    ? ok(name, appUrl)
    : warn(
        name,
        `the host of ${appUrl} cannot be looked up from here`,
        "check its spelling and its DNS entry",
      );
};

const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

const canLookUp = (hostname: string): Promise<boolean> =>
  Promise.race([
    lookup(hostname).then(
      () => true,
      () => false,
    ),
    Bun.sleep(lookupMs).then(() => false),
  ]);
