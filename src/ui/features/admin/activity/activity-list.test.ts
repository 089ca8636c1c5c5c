import { expect, test } from "bun:test";
import { ApiError } from "#ui/lib/api.ts";
import { activityFailure } from "./activity-list.tsx";

test("shows the server's message, else its status in words, else that there was no response", () => {
  const refused = new ApiError("Please give a date as 2026-01-31", {
    status: 422,
    code: "VALIDATION_FAILED",
  });
  const foreign = new ApiError("…", { status: 502, code: "UNKNOWN" });
  const odd = new ApiError("…", { status: 530, code: "UNKNOWN" });
  const away = new ApiError("An error occurred. Please try again.", { status: 0, code: "NETWORK" });
  expect([refused, foreign, odd, away].map(activityFailure)).toEqual([
    "Please give a date as 2026-01-31",
    "HTTP 502: Bad Gateway",
    "HTTP 530: Error",
    "An error occurred. Please try again.",
  ]);
});
