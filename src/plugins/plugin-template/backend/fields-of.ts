import type { Json } from "../atrium-plugin.d.ts";

/** The fields of a body; the route's schema has looked at them before the handler is called. */
export const fieldsOf = (body: Json): { [key: string]: Json } =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
