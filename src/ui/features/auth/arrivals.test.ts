import { expect, test } from "bun:test";
import { readArrival } from "./arrivals.ts";

test("the address and the words of the page before are taken over", () => {
  expect(readArrival({ email: "ada@b.example", message: "Registration successful." })).toEqual({
    email: "ada@b.example",
    message: "Registration successful.",
    signedUpAs: null,
  });
  expect(readArrival({ email: "ada@b.example", signedUpAs: "Ada" })).toMatchObject({ signedUpAs: "Ada" });
});

test("a page opened directly, or another page's state, leaves the form empty", () => {
  for (const state of [null, undefined, "x", 7, {}, { email: 7, message: [] }]) {
    expect(readArrival(state)).toEqual({ email: "", message: null, signedUpAs: null });
  }
});
