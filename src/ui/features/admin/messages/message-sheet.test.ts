import { expect, test } from "bun:test";
import { replyAddress } from "./message-sheet.tsx";

test("a reply goes to exactly the writer, whatever signs the address has", () => {
  expect(replyAddress({ email: "ada@example.test", subject: "Re: Sales" })).toBe(
    "mailto:ada@example.test?subject=Re%3A%20Sales",
  );
  expect(replyAddress({ email: "a?bcc=eve%40x&b=1@example.test", subject: "Re: Sales" })).toBe(
    "mailto:a%3Fbcc%3Deve%2540x%26b%3D1@example.test?subject=Re%3A%20Sales",
  );
});
