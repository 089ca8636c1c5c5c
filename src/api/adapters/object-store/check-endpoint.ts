import { BucketError } from "#api/core/objects.ts";
import { s3EndpointComplaint } from "#contract/credential-rules.ts";

/**
 * The endpoint as a URL when it is Cloudflare R2's or an origin that the operator listed, written without tricks. Throws
 * `BucketError("refused")` otherwise.
 */
export const checkEndpoint = (endpoint: string, otherOrigins: readonly string[]): URL => {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isKnown = endpoint !== "" && s3EndpointComplaint(endpoint, otherOrigins) === null;
  if (url === null || !isKnown || !["http:", "https:"].includes(url.protocol))
    throw new BucketError("refused");
  // An origin and nothing more; a host that reads otherwise once it is parsed was a number in disguise.
  if (url.origin !== endpoint.toLowerCase()) throw new BucketError("refused");
  return url;
};

/** Whether an address lies on this machine or in a private network, where words may travel in the open. */
export const isNearby = (address: string): boolean =>
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:)/i.test(address);
