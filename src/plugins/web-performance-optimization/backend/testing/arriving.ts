import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";

/** A visitor's request for a path, with headers and whatever else differs. */
export const arriving = (
  path: string,
  headers: Record<string, string> = {},
  more: Partial<ArrivingRequest> = {},
): ArrivingRequest => ({
  id: crypto.randomUUID(),
  method: "GET",
  path,
  query: "",
  headers: new Headers({ host: "localhost", ...headers }),
  ip: "192.0.2.1",
  country: null,
  isCall: path.startsWith("/api/") || path.startsWith("/swagger"),
  route: null,
  ...more,
});
