/** The headers by which a browser says where a request comes from. */
export type Provenance = { origin: string | null; fetchSite: string | null; purpose: string | null };

/** What a call does, seen from the origin rule: the GETs change state by what they carry. */
export type OriginClass = "safe" | "unsafe" | "get-by-cookie" | "get-by-token" | "get-by-state";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The rule against forged requests. Trusted are the public origin, the listed ones, and, when the public origin is on
 * loopback, the same port under loopback's other names.
 * A browser's word is taken from `Origin`, else `Sec-Fetch-Site`, and the two must not contradict each other.
 */
export const createOriginRule = (appUrl: string, corsOrigins: string[]) => {
  const listed = new Set(corsOrigins);
  const own = new Set(ownOrigins(new URL(appUrl)));

  const isTrusted = ({ origin, fetchSite }: Provenance): boolean => {
    if (origin !== null && listed.has(origin)) return true;
    if (fetchSite !== null && fetchSite !== "same-origin") return false;
    return origin === null ? fetchSite === "same-origin" : own.has(origin);
  };
  const isSilent = ({ origin, fetchSite }: Provenance): boolean =>
    origin === null && (fetchSite === null || fetchSite === "none");

  /** Whether the call may go on. */
  return (kind: OriginClass, from: Provenance, hasCookie: boolean): boolean => {
    if (kind === "safe") return true;
    if (kind === "unsafe") return isTrusted(from) || (!hasCookie && isSilent(from));
    if (from.purpose !== null) return false;
    // It comes from the identity provider's site by design; the state in it must fit a cookie of this browser.
    if (kind === "get-by-state") return true;
    const isTyped = from.origin === null && from.fetchSite === "none";
    const isProgram = from.origin === null && from.fetchSite === null;
    return isTrusted(from) || isTyped || (isProgram && (kind === "get-by-token" || !hasCookie));
  };
};

const ownOrigins = (appUrl: URL): string[] => {
  if (!loopbackNames.includes(appUrl.hostname)) return [appUrl.origin];
  const port = appUrl.port === "" ? "" : `:${appUrl.port}`;
  return loopbackNames.map((name) => `${appUrl.protocol}//${name}${port}`);
};
