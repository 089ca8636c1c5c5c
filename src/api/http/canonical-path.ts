// Path characters of RFC 3986 §3.3 without percent-encoding, parameters and anything that could be read in two ways.
const plainPath =
  /^\/(?:[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*(?:\/[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*)*)?$/;
const remembered = 4_096;
const decided = new Map<string, boolean>();

/**
 * The path and the query of a request's URL, exactly as they came. The path ends before `?` or `#`. Of a request whose
 * `Host` is absent or malformed the runtime tells the path alone.
 */
export const splitTarget = (url: string): { path: string; search: string } => {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return { path: "/", search: "" };
  const query = url.indexOf("?", start);
  if (query < 0) return { path: url.slice(start), search: "" };
  return { path: url.slice(start, query), search: url.slice(query) };
};

/** A request with its path and query; one whose path `standIn` replaces is told as a request for that. */
export const readTarget = (request: Request, standIn: (path: string) => string | null) => {
  const { path, search } = splitTarget(request.url);
  const other = standIn(path);
  if (other === null) return { told: request, path, search };
  return { told: new Request(`http://localhost${other}${search}`, request), path: other, search };
};

/**
 * Whether a path has only one reading: no escapes, empty, dot or hidden segments, parameters or trailing slash.
 * Router, guards and log then see the same path; every other spelling is simply not found.
 */
export const isCanonicalPath = (path: string): boolean => {
  const known = decided.get(path);
  if (known !== undefined) return known;
  const isCanonical = path.length <= 2_048 && plainPath.test(path);
  // Only short paths are worth remembering; long ones are tokens and attacks.
  if (path.length <= 64 && decided.size < remembered) decided.set(path, isCanonical);
  return isCanonical;
};

// Tokens have 43 characters; words of a path are lower-case and shorter.
const longSegment = /[^/]{20,}/g;
const words = /^[a-z-]{1,40}$/;

/** A path as a log may show it, at most 100 characters: a segment that could be a token, or hold one, is left out. */
export const loggedPath = (path: string): string => {
  if (path.length < 20) return path;
  return path.replace(longSegment, (segment) => (words.test(segment) ? segment : "…")).slice(0, 100);
};
