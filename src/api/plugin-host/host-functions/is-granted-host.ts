/**
 * Whether an address lies on one of the granted hosts: `api.example.com` is that very host, `*.example.com` any host one
 * label below. A port other than 443 has to stand in the grant.
 */
export const isGrantedHost = ({ host }: URL, granted: readonly string[]): boolean =>
  granted.some((entry) => {
    if (!entry.startsWith("*.")) return entry === host;
    const dot = host.indexOf(".");
    return dot > 0 && host.slice(dot) === entry.slice(1);
  });
