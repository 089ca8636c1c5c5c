import { expect, test } from "bun:test";
import { providerLabels, providerNames } from "#contract/users.ts";
import { providerPath, socialSentence } from "./social-buttons.tsx";

const sentence = (google: boolean, github: boolean) => {
  const offered = { google, github };
  const ids = providerNames.filter((name) => offered[name]);
  const list = ids.map((id) => ({ id, label: providerLabels[id], kind: id }));
  return socialSentence({ step: "known", offered: list, registration: { policy: "open", notice: null } });
};

test("the provider that is not configured is named, or both", () => {
  expect(sentence(true, false)).toBe("GitHub sign-in is not configured on this server.");
  expect(sentence(false, true)).toBe("Google sign-in is not configured on this server.");
  expect(sentence(false, false)).toBe("Google and GitHub sign-in are not configured on this server.");
  expect(sentence(true, true)).not.toContain("not configured");
});

test("nothing is claimed of a provider before the server has answered", () => {
  expect(socialSentence({ step: "unknown" })).not.toContain("not configured");
  expect(socialSentence({ step: "failed" })).not.toContain("not configured");
});

test("a provider's link remembers where the reader wanted to go, on this site only", () => {
  expect(providerPath("google", "?from=%2Fadmin%2Fusers%3Fpage%3D2")).toBe(
    "/api/auth/google?returnTo=%2Fadmin%2Fusers%3Fpage%3D2",
  );
  expect(providerPath("github", "?from=//evil.example")).toBe("/api/auth/github?returnTo=%2Fdashboard");
  expect(providerPath("github", "")).toBe("/api/auth/github?returnTo=%2Fdashboard");
});
