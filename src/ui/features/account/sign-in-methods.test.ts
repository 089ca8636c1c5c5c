import { expect, test } from "bun:test";
import { isLastWayIn } from "./methods-card.tsx";

const account = (hasPassword: boolean, google: boolean, github: boolean, isGithubConfigured = true) => ({
  hasPassword,
  providers: {
    google: { configured: true, linked: google },
    github: { configured: isGithubConfigured, linked: github },
  },
});

test("a provider alone is the last way in, a password or the other one beside it is another", () => {
  expect(isLastWayIn(account(false, true, false), "google")).toBe(true);
  expect(isLastWayIn(account(false, false, true), "github")).toBe(true);
  expect(isLastWayIn(account(true, true, false), "google")).toBe(false);
  expect(isLastWayIn(account(false, true, true), "google")).toBe(false);
});

test("a linked provider that the server has not set up is no way in", () => {
  expect(isLastWayIn(account(false, true, true, false), "google")).toBe(true);
});

test("what is not linked is no way in at all", () => {
  expect(isLastWayIn(account(false, false, true), "google")).toBe(false);
});
