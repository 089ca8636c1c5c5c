import { expect, test } from "bun:test";
import { readLinkOutcome } from "./dashboard-page.tsx";

const outcome = (query: string) => readLinkOutcome(new URLSearchParams(query));

test("the address tells which provider was linked, or that linking failed", () => {
  expect(outcome("linked=google")).toEqual({ step: "linked", label: "Google" });
  expect(outcome("linked=github")).toEqual({ step: "linked", label: "GitHub" });
  expect(outcome("error=link_failed")).toEqual({ step: "failed" });
});

test("any other address tells nothing", () => {
  for (const query of ["", "linked=", "linked=<b>evil</b>", "linked=toString", "error=auth_failed"]) {
    expect([query, outcome(query)]).toEqual([query, null]);
  }
});
