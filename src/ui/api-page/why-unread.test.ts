import { expect, test } from "bun:test";
import { whyUnread } from "./document-to-show.ts";
import { apiPageTexts as texts } from "./texts.ts";

const answered = (status: number, headers: Record<string, string> = {}) =>
  whyUnread({ status, headers: new Headers(headers) });

test("too many requests are named as that, with the minutes to wait where the server tells them", () => {
  expect(answered(429, { "retry-after": "200" })).toBe(`${texts.tooMany} Please try again in 4 minutes.`);
  expect(answered(429)).toBe(`${texts.tooMany} ${texts.later}`);
  expect(answered(429, { "retry-after": "Fri, 31 Dec 2999 23:59:59 GMT" })).toBe(
    `${texts.tooMany} ${texts.later}`,
  );
});

test("anything else is a matter of the connection or the server", () => {
  expect([answered(500), answered(503, { "retry-after": "1" }), whyUnread(null)]).toEqual([
    texts.failed,
    texts.failed,
    texts.failed,
  ]);
});
