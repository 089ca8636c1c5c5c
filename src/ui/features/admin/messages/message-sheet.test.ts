import { expect, test } from "bun:test";
import { explanationAddress, replyAddress } from "./messages-page.tsx";

test("a reply goes to exactly the writer, whatever signs the address has", () => {
  expect(replyAddress({ email: "ada@example.test", subject: "Re: Sales" })).toBe(
    "mailto:ada@example.test?subject=Re%3A%20Sales",
  );
  expect(replyAddress({ email: "a?bcc=eve%40x&b=1@example.test", subject: "Re: Sales" })).toBe(
    "mailto:a%3Fbcc%3Deve%2540x%26b%3D1@example.test?subject=Re%3A%20Sales",
  );
});

test("a message that quotes a request's ID leads to what the firewall found in it", () => {
  const id = "0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10";
  expect(explanationAddress(`I was blocked (${id}).`)).toBe(`/admin/firewall/explain/${id}`);
  expect(explanationAddress("Order 0198c2f4-6f3b of last week")).toBeNull();
});
