import { expect, test } from "bun:test";
import { rateLimitHeaders } from "./rate-limiter.ts";

const rule = { max: 100, windowMs: 900_000 };

test("R3: a request that passes is told the rule, what is left, and when its oldest request leaves", () => {
  expect(rateLimitHeaders(rule, { isAllowed: true, remaining: 99, resetMs: 900_000 })).toEqual({
    "RateLimit-Policy": '"core";q=100;w=900',
    RateLimit: '"core";r=99;t=900',
  });
});

test("R3: a refused request is told to come back when it will be allowed, and not a second too early", () => {
  expect(rateLimitHeaders(rule, { isAllowed: false, remaining: 0, resetMs: 1_001 })).toEqual({
    "RateLimit-Policy": '"core";q=100;w=900',
    RateLimit: '"core";r=0;t=2',
    "Retry-After": "2",
  });
  expect(rateLimitHeaders(rule, { isAllowed: false, remaining: 0, resetMs: 0.2 })["Retry-After"]).toBe("1");
});
