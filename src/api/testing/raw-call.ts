import type { Entrance } from "#api/door/exchange.ts";
import type { TestClient, TestHost } from "./host.ts";

/** A body as it goes over the wire, well-formed or not; `null` sends none. */
export type WireBody = string | Uint8Array<ArrayBuffer> | null;

/**
 * Sends path and body byte for byte, with a browser's headers and the client's cookie; headers may be replaced. `Request`
 * alone would tidy the path up first, which no server does. It comes from this machine unless told otherwise.
 */
export const rawCall = async (
  { app, services }: TestHost,
  client: Pick<TestClient, "cookie">,
  call: { method: string; path: string; body: WireBody; headers?: Record<string, string> },
  entrance: Entrance = { via: "tcp", peer: "127.0.0.1" },
): Promise<Response> => {
  const { origin, host } = new URL(services.appUrl);
  const request = new Request(origin, {
    method: call.method,
    headers: {
      host,
      origin,
      "sec-fetch-site": "same-origin",
      ...(call.body === null ? {} : { "content-type": "application/json" }),
      ...(client.cookie ? { cookie: client.cookie } : {}),
      ...call.headers,
    },
    ...(call.body === null ? {} : { body: call.body }),
  });
  Object.defineProperty(request, "url", { value: `${origin}${call.path}` });
  return app.handle(request, entrance);
};

/** The bytes of texts and numbers, one after the other. */
export const bytesOf = (...parts: (string | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part)))),
  );
