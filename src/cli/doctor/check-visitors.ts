import { type AskedStatus, untold } from "./ask-status.ts";
import { type Check, ok, warn } from "./check.ts";

const name = "visitors";

/** Under which address the server sees visitors, which proxies it believes about that, and whether a proxy makes them all look the same. */
export const checkVisitors = (asked: AskedStatus): Check => {
  if (asked === null)
    return ok(name, "not known: only a running server sees under which addresses they come");
  if ("problem" in asked) return untold(name, asked.problem);
  const { warning, newestVisitor = null, trustedProxies } = asked.status.visitor;
  const believed =
    trustedProxies.length === 0 ? "no proxy is believed" : `believed proxies: ${trustedProxies.join(", ")}`;
  if (warning !== null) {
    return warn(
      name,
      newestVisitor === null ? warning : `${warning} The newest is seen as ${newestVisitor}.`,
      "TRUSTED_PROXIES is read at the start; Trust Proxy is switched with: " +
        "atrium settings set core.security.trustProxy true",
    );
  }
  return ok(
    name,
    newestVisitor === null
      ? `nobody came within ten minutes; open a page, and run this again to see under which address; ${believed}`
      : `the newest is seen as ${newestVisitor}; ${believed}`,
  );
};
