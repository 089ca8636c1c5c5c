/** What CORS adds to the answers of the API. */
export type CorsRule = {
  /** The origins that are listed. */
  origins: string[];
  /** Whether a browser asks, for a page of a listed origin, what it may send. */
  isPreflight(request: Request): boolean;
  /** The answer to such a question about a path that has these methods. */
  answerPreflight(methods: string[], headers: Record<string, string>): Response;
  /** Lets pages of a listed origin read an answer, with credentials, and tells caches that answers differ by origin. */
  mark(request: Request, headers: Headers): void;
};

// What callers may read besides the safelisted headers, and send besides the safelisted ones (Fetch standard §2.2.2).
const readable = "x-request-id, RateLimit, RateLimit-Policy, Retry-After, Content-Disposition";
const sendable =
  "authorization, content-type, idempotency-key, last-event-id, mcp-protocol-version, mcp-method, mcp-name";
// Short, so that a browser soon notices that an origin is not listed any more.
const preflightAgeS = 600;

/** The rule for the listed origins, as browsers spell them: no pattern, so never all of them, nor the opaque one. */
export const createCorsRule = (corsOrigins: string[]): CorsRule => {
  const listed = new Set(corsOrigins.filter((origin) => origin !== "*" && origin !== "null"));
  // Letter for letter: browsers spell an origin in one way only.
  const listedOrigin = ({ headers }: Request): string | null => {
    const origin = headers.get("origin");
    return origin !== null && listed.has(origin) ? origin : null;
  };
  return {
    origins: [...listed],
    isPreflight: (request) =>
      request.method === "OPTIONS" &&
      request.headers.has("access-control-request-method") &&
      listedOrigin(request) !== null,
    answerPreflight: (methods, headers) =>
      new Response(null, {
        status: 204,
        headers: {
          ...headers,
          vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": sendable,
          "access-control-max-age": String(preflightAgeS),
        },
      }),
    mark: (request, headers) => {
      // An answer that a plugin kept was marked when it was made.
      if (!/(?:^|,)\s*origin\s*(?:,|$)/i.test(headers.get("vary") ?? "")) headers.append("vary", "Origin");
      const origin = listedOrigin(request);
      if (origin === null) return;
      headers.set("access-control-allow-origin", origin);
      headers.set("access-control-allow-credentials", "true");
      headers.set("access-control-expose-headers", readable);
    },
  };
};
