import { expect, test } from "bun:test";
import { isLastWayIn } from "./methods-card.tsx";

const account = (hasPassword: boolean, google: boolean, github: boolean, isGithubConfigured = true) => ({
  hasPassword,
  providers: {
    google: { label: "Google", configured: true, linked: google },
    github: { label: "GitHub", configured: isGithubConfigured, linked: github },
  },
});

test("a provider alone is the last sign-in method, a password or the other provider is another one", () => {
  expect(isLastWayIn(account(false, true, false), "google")).toBe(true);
  expect(isLastWayIn(account(false, false, true), "github")).toBe(true);
  expect(isLastWayIn(account(true, true, false), "google")).toBe(false);
  expect(isLastWayIn(account(false, true, true), "google")).toBe(false);
});

test("a linked provider that is not configured on the server is no sign-in method", () => {
  expect(isLastWayIn(account(false, true, true, false), "google")).toBe(true);
});

test("a provider that is not linked is no sign-in method", () => {
  expect(isLastWayIn(account(false, false, true), "google")).toBe(false);
});
