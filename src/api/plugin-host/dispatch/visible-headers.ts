const always: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "user-agent",
  "if-none-match",
]);

const token = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

// Who somebody is, for the browser, for Atrium or for what stands before it; and our own.
const reserved =
  /^(?:(?:set-)?cookie2?|authorization|host|forwarded|via|(?:http-)?remote-|proxy-|cf-access-|tailscale-user-|x-(?:forwarded|real-ip|original-|client-cert|ssl-|auth-request-|remote-|authentik-|authelia-|pomerium-|vault-|amz|goog-|ms-|csrf|xsrf|atrium).*)/;

/** Whether a route may ask for a header: never for one that proves or tells who somebody is. */
export const isHeaderForPlugins = (name: string): boolean => {
  const lower = name.toLowerCase();
  return token.test(lower) && !reserved.test(lower);
};

/** The headers of a call that a route sees, with names in lower case: a few that are harmless, and those that it names. */
export const visibleHeaders = (headers: Headers, named: readonly string[]): Record<string, string> => {
  const wanted = new Set([...always, ...named.filter(isHeaderForPlugins).map((name) => name.toLowerCase())]);
  const visible: Record<string, string> = {};
  for (const name of wanted) {
    const value = headers.get(name);
    if (value !== null) visible[name] = value;
  }
  return visible;
};
