import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { fieldTexts } from "#contract/errors.ts";

let host: TestHost;
let admin: TestClient;
let before: string[];
beforeAll(async () => {
  host = await createTestHost();
  admin = await host.signedIn("admin");
  before = await contentsOf(host.db);
});
afterAll(async () => {
  expect(await contentsOf(host.db)).toEqual(before);
  await host.close();
});

describe("L6: an invalid query of a list is a 422:", () => {
  const rows = "Please ask for 1 to 100 rows";
  const begin = "Please begin at a whole number from 0";
  const long = "Please search for at most 254 characters";
  const bad: [query: string, path: string, message: string][] = [
    ...[
      "",
      "0",
      "101",
      "-1",
      "1.5",
      "1e2",
      "0x10",
      "NaN",
      "abc",
      "%2B5",
      "+5",
      "5%20",
      "null",
      "[1]",
      "{}",
      "%D9%A5",
    ].map((value) => [`limit=${value}`, "limit", rows] as [string, string, string]),
    [`limit=${"9".repeat(400)}`, "limit", rows],
    ...["", "-1", "1000000001", "1e9", "9007199254740993", "abc", "0.5"].map(
      (value) => [`offset=${value}`, "offset", begin] as [string, string, string],
    ),
    [`search=${"a".repeat(255)}`, "search", long],
    [`search=${"%F0%9F%98%80".repeat(128)}`, "search", long],
    ["search=a%00b", "search", fieldTexts.unprintable],
    ["limit=1&limit=2", "limit", fieldTexts.repeated],
    ["search=a&se%61rch=b", "search", fieldTexts.repeated],
    ["limit[]=1", "limit[]", fieldTexts.unknown],
    ["search[a]=b", "search[a]", fieldTexts.unknown],
    ["Limit=1", "Limit", fieldTexts.unknown],
    ["__proto__=1", "__proto__", fieldTexts.unknown],
    ["constructor=1", "constructor", fieldTexts.unknown],
    ["order=password_hash", "order", "Please choose asc or desc"],
    ["sort=password_hash", "sort", "Please sort by created, name, email or lastSeen"],
    ["order_by=password_hash", "order_by", fieldTexts.unknown],
    ["order=", "order", "Please choose asc or desc"],
    ["sort=name;drop table users", "sort", "Please sort by created, name, email or lastSeen"],
    ["sort=name&sort=email", "sort", fieldTexts.repeated],
    ["role=owner", "role", "Please choose user or admin"],
    ["role=", "role", "Please choose user or admin"],
    ["role=admin&role=user", "role", fieldTexts.repeated],
    ["status=deleted", "status", "Please choose active or disabled"],
    ["status=", "status", "Please choose active or disabled"],
    ["=1", "", fieldTexts.unknown],
  ];
  test.each(bad)("%s", async (query, path, message) => {
    const refusal = await readRefusal(await admin.call("GET", `/api/admin/users?${query}`));
    expect(refusal).toMatchObject({ status: 422, errors: [{ path, message }] });
  });

  test.each(["%", "%zz", "%ff", "%c0%af", "%ed%a0%80", "%ud800", "%e2%82"])(
    "search=%s is a 400",
    async (value) => {
      for (const query of [`search=${value}`, `${value}=1`, `search=${value}%00`]) {
        const refusal = await readRefusal(await admin.call("GET", `/api/admin/users?${query}`));
        expect(refusal).toMatchObject({ status: 400, code: "BAD_REQUEST" });
      }
    },
  );

  test("the limits themselves, escapes and SQL wildcards are accepted", async () => {
    for (const query of [
      "limit=1&offset=0&search=",
      "limit=100&offset=1000000000",
      "limit=00005",
      `search=${"a".repeat(254)}`,
      "search=%25_%5C%27%3B--",
      "search=%F0%9F%98%80+b",
      "search=e%CC%81",
      "search=%E2%80%AE",
      "&&",
    ]) {
      const response = await admin.call("GET", `/api/admin/users?${query}`);
      expect([query, response.status]).toEqual([query, 200]);
    }
    const everything = await admin.call("GET", "/api/admin/users?search=%25");
    expect((await everything.json()).data.pagination.total).toBe(0);
  });
});

describe("an emailed token that is invalid is refused without details:", () => {
  const plain = [
    "none",
    "A".repeat(42),
    "A".repeat(44),
    "a+b",
    "__proto__",
    "constructor",
    ":token",
    "*",
    "a'b",
    "$(x)",
  ];
  test.each(plain)("%s is a 400", async (token) => {
    const refusal = await readRefusal(await host.visitor().call("GET", `/api/auth/verify-email/${token}`));
    expect(refusal).toMatchObject({
      status: 400,
      code: "TOKEN_INVALID",
      message: authTexts.verificationInvalid,
    });
  });
  const spelt = ["%00", "%ff", "a%2fb", "a%20b", "😀", "<script>", "a;b", "a%0d%0ab", "", "a/b"];
  test.each([...spelt, "A".repeat(3_000), "A".repeat(9_000)])(
    "%s, damaged on its way, is a 400 too",
    async (token) => {
      for (const [method, path, message] of [
        ["GET", "verify-email", authTexts.verificationInvalid],
        ["POST", "verify-email", authTexts.verificationInvalid],
        ["GET", "reset-password", authTexts.resetInvalid],
        ["POST", "reset-password", authTexts.resetInvalid],
        ["GET", "setup", authTexts.setupInvalid],
      ] as const) {
        const body = method === "GET" ? undefined : { password: "correct-horse-battery" };
        const refusal = await readRefusal(
          await host.visitor().call(method, `/api/auth/${path}/${token}`, body),
        );
        expect([method, path, refusal]).toMatchObject([
          method,
          path,
          { status: 400, code: "TOKEN_INVALID", message },
        ]);
      }
    },
  );
});
