import { expect, test } from "bun:test";
import { AppError } from "#api/core/app-error.ts";
import type { Readiness } from "#api/core/metrics.ts";
import { appSource } from "./server-sources.ts";

const sessionLooks = { asked: 0, read: 0 };

/** The states whose figure is 1. */
const statesOf = async (read: Readiness["read"], isStarting = false) => {
  const samples = await appSource({
    readiness: { read },
    sessionLooks,
    isStarting: () => isStarting,
  }).read();
  return samples
    .filter(({ labels, value }) => labels?.state && value === 1)
    .map(({ labels }) => labels?.state);
};

test("each word that readiness can say is a state of its own, and one holds at a time", async () => {
  const failing = (kind: "SHUTTING_DOWN" | "DB_UNAVAILABLE") => () => Promise.reject(new AppError(kind));
  const lost = failing("DB_UNAVAILABLE");
  expect(await statesOf(lost)).toEqual(["unavailable"]);
  expect(await statesOf(failing("SHUTTING_DOWN"))).toEqual(["draining"]);
  expect(await statesOf(lost, true)).toEqual(["starting"]);
});
