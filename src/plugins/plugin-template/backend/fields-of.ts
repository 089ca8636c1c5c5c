import type { Json } from "../atrium-plugin.d.ts";

/** The fields of a body, which the route's schema has validated before the handler runs. */
export const fieldsOf = (body: Json): { [key: string]: Json } =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
