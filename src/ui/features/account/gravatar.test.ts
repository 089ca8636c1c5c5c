import { expect, test } from "bun:test";
import { gravatarUrl } from "./dashboard-page.tsx";

// The hash of myemailaddress@example.com, as Gravatar's documentation computes it.
const documented = "84059b07d4be67b806386c0aad8070a23f18836bbaae342275dc0a83414c32ee";

test("an address leads to its picture at size 200, a pattern standing in", async () => {
  expect(await gravatarUrl("myemailaddress@example.com")).toBe(
    `https://www.gravatar.com/avatar/${documented}?s=200&d=identicon`,
  );
});

test("space around the address and capital letters make no difference", async () => {
  expect(await gravatarUrl(" MyEmailAddress@example.com ")).toBe(
    await gravatarUrl("myemailaddress@example.com"),
  );
});
