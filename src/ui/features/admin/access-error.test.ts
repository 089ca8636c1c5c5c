import { expect, test } from "bun:test";
import { ApiError } from "#ui/lib/api.ts";
import { loadFailureText } from "./access-error.tsx";

test("a refusal is named with its status and reason", () => {
  const refused = new ApiError("Something went wrong", { status: 500, code: "INTERNAL" });
  expect(loadFailureText(refused)).toBe("Failed to load admin data: 500 Internal Server Error");
});

test("an unusual status is named with the server's own words", () => {
  const full = new ApiError("The disk is full", { status: 507, code: "STORAGE_FULL" });
  expect(loadFailureText(full)).toBe("Failed to load admin data: 507 The disk is full");
});

test("no answer at all is told as a failed connection", () => {
  const away = new ApiError("An error occurred. Please try again.", { status: 0, code: "NETWORK" });
  expect(loadFailureText(away)).toBe("Error connecting to admin API: An error occurred. Please try again.");
});
