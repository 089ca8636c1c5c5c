import type { Route } from "playwright-core";

/** Answers a call with this status and body, in pictures of states that the real server is rarely in. */
export const json = (status: number, body: object) => (route: Route) => route.fulfill({ status, json: body });

/** Answers a call with a failure's envelope. */
export const failure = (status: number, code: string, message: string, more: object = {}) =>
  json(status, { success: false, code, message, ...more });
