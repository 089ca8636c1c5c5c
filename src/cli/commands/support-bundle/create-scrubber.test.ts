import { describe, expect, test } from "bun:test";
import { createScrubber, scrubLog, scrubValue } from "./scrub.ts";

const scrub = createScrubber(["hunter2-hunter2"]);
const free = (text: string) => scrub(text, { isFree: true });

describe("the scrubber", () => {
  test("strikes known secrets wherever they stand", () => {
    expect(scrub("a hunter2-hunter2 b hunter2-hunter2")).toBe("a *** b ***");
    expect(scrubValue({ "hunter2-hunter2": ["x hunter2-hunter2"] }, scrub)).toEqual({ "***": ["x ***"] });
  });

  test("gives an address one name throughout, and another one in the next bundle", () => {
    const [one, two, other] = [scrub("Ada@Example.com"), scrub("ada@example.com"), scrub("bob@example.com")];
    expect(one).toMatch(/^person-[0-9a-f]{8}@hidden$/);
    expect(two).toBe(one);
    expect(other).not.toBe(one);
    expect(createScrubber([])("ada@example.com")).not.toBe(one);
  });

  test("knows an address that is percent-encoded, by the same name", () => {
    const name = scrub("bob@example.com");
    expect(scrub("GET /verify?email=bob%40example.com&x=1")).toBe(`GET /verify?email=${name}&x=1`);
    expect(scrub("bob%2540example.com")).toBe(name);
    expect(scrub("email%3Dbob%40example.com")).not.toContain("bob");
    expect(scrub("40%40 of 100%")).toBe("40%40 of 100%");
  });

  test("names visitors' networks, and leaves this machine, times and versions alone", () => {
    expect(scrub("from 203.0.113.7, 2001:db8::7 and ::ffff:203.0.113.9")).toMatch(
      /^from ipv4-\w{8}, ipv6-\w{8} and (?:ipv6-\w{8}|::ffff:ipv4-\w{8})$/,
    );
    const kept = "127.0.0.1 ::1 0.0.0.0 2026-11-21T18:40:12.123Z 18:40:12 1.2.3 15.20";
    expect(scrub(kept)).toBe(kept);
  });

  test("takes users and what stands behind the path out of addresses", () => {
    expect(scrub("smtp://me:pass@mail.example")).toBe("smtp://***@mail.example");
    expect(scrub("http://localhost:3000/setup?token=abc and https://a.example/x#y")).toBe(
      "http://localhost:3000/setup?*** and https://a.example/x#***",
    );
  });

  test("replaces what looks like a secret in any text, and leaves ids and words", () => {
    for (const secret of [
      'password: "abc"',
      "token=abc",
      "Bearer abc.def",
      "authorization: Bearer abc.def",
      "0f8fad5bd9cb469fa165708867",
      String.raw`{\"apiKey\":\"abc\"}`,
    ])
      expect([secret, free(secret).includes("***") && !/abc|0f8f/.test(free(secret))]).toEqual([
        secret,
        true,
      ]);
    const kept =
      "request 019a9f00-0000-7000-8000-000000000000 at 2026-11-21T18:40:12.123Z took notablylongword";
    expect(free(kept)).toBe(kept);
  });
});

test("lines of a log lose links, cookies and programs of visitors, and stay JSON", () => {
  const line = JSON.stringify({
    level: "warn",
    message: "odd",
    link: "x",
    userAgent: "y",
    cookie: "z",
    ms: 3,
  });
  expect(scrubLog(`${line}\nplain ada@example.com\n`, scrub)).toMatch(
    /^\{"level":"warn","message":"odd","ms":3\}\nplain person-\w{8}@hidden$/,
  );
});
