import { expect, test } from "bun:test";
import { sampleLicence } from "../../testing/make-issuer.ts";
import { statusOf } from "./license-status.ts";

const at = (iso: string, change: Partial<typeof sampleLicence> = {}) =>
  statusOf({ ...sampleLicence, ...change }, Date.parse(iso));

test.each([
  ["2026-11-21T12:00:00.000Z", "active", 375, "Business"],
  ["2027-11-30T23:59:59.999Z", "active", 1, "Business"],
  ["2027-12-01T00:00:00.000Z", "grace", 14, "Business"],
  ["2027-12-14T23:59:59.999Z", "grace", 1, "Business"],
  ["2027-12-15T00:00:00.000Z", "expired", null, "Community"],
  ["2040-01-01T00:00:00.000Z", "expired", null, "Community"],
])(
  "at %s a license through November with 14 days of grace is %s, with %j days left",
  (iso, state, daysLeft, plan) => {
    expect(at(iso)).toMatchObject({
      state,
      daysLeft,
      plan,
      owner: plan === "Community" ? null : "Northwind Ltd",
    });
  },
);

test("the note names the last day on which a license is valid, and the last day of its grace period", () => {
  expect(at("2026-11-21T00:00:00.000Z").note).toBe("This license is valid through November 30, 2027.");
  expect(at("2027-12-02T00:00:00.000Z").note).toBe(
    "This license expired on November 30, 2027. The grace period runs through December 14, 2027; after that, the Community license applies.",
  );
  expect(at("2028-01-01T00:00:00.000Z").note).toContain("expired on November 30, 2027");
});

test("without grace days a license expires immediately, and without an expiry date never", () => {
  expect(at("2027-12-01T00:00:00.000Z", { graceDays: 0 }).state).toBe("expired");
  expect(at("2999-12-01T00:00:00.000Z", { expiresAt: null })).toMatchObject({
    state: "active",
    daysLeft: null,
  });
});

test("an expired license is still shown, so that admins know which license it was", () => {
  expect(at("2028-01-01T00:00:00.000Z").licence).toMatchObject({ owner: "Northwind Ltd", plan: "Business" });
});
