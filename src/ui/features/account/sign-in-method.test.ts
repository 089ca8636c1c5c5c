import { expect, test } from "bun:test";
import { signInMethod } from "./dashboard-page.tsx";

test("Google is named when linked, then GitHub, and a password alone counts as Email", () => {
  expect(signInMethod({ googleId: "1", githubId: "2" })).toBe("Google");
  expect(signInMethod({ googleId: null, githubId: "2" })).toBe("GitHub");
  expect(signInMethod({ googleId: null, githubId: null })).toBe("Email");
});
