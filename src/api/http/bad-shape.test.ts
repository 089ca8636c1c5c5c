import { afterAll, describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { createTestHost } from "#api/testing/host.ts";
import { bytesOf, rawCall, type WireBody } from "#api/testing/raw-call.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { fieldTexts } from "#contract/errors.ts";

const host = await createTestHost();
const admin = await host.signedIn("admin");
const before = await contentsOf(host.db);
afterAll(async () => {
  expect(await contentsOf(host.db)).toEqual(before);
  expect(host.mails).toEqual([]);
  await host.close();
});

const canary = "canary-of-a-password";
const person = { name: "Ada Example", email: "ada@refused.example", password: canary };
const targets: [path: string, body: object][] = [
  ["/api/auth/register", person],
  ["/api/auth/login", { email: person.email, password: canary }],
  ["/api/auth/resend-verification", { email: person.email }],
  ["/api/auth/setup", { ...person, token: "A".repeat(43) }],
  ["/api/admin/users", { ...person, role: "user" }],
];

const send = (path: string, body: WireBody, headers: Record<string, string> = {}) =>
  rawCall(host, admin, { method: "POST", path, body, headers });

/** A body with one more member in front or behind, as text. */
const inFront = (body: object, member: string) => JSON.stringify(body).replace("{", `{${member},`);
const behind = (body: object, member: string) => JSON.stringify(body).replace(/\}$/, `,${member}}`);

describe("a body that is not one JSON object is refused and changes nothing, at", () => {
  const broken: [title: string, body: WireBody][] = [
    ["nothing at all", ""],
    ["only spaces", "   "],
    ["NUL", "\u0000"],
    ["an open brace", "{"],
    ["a closing brace", "}"],
    ["a comma too many", '{"email":"a@b.example",}'],
    ["single quotes", "{'email':'a@b.example'}"],
    ["a comment", '/* */{"email":"a@b.example"}'],
    ["more behind the end", '{"email":"a@b.example"}{}'],
    ["NaN", "NaN"],
    ["UTF-16", new Uint8Array(Buffer.from(JSON.stringify(person), "utf16le"))],
    ["compressed bytes", Bun.gzipSync(JSON.stringify(person))],
    ["200,000 arrays in one another", "[".repeat(200_000) + "]".repeat(200_000)],
    ["200,000 arrays that are never closed", "[".repeat(200_000)],
    ["100,000 objects in one another", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["33 levels", "[".repeat(33) + "]".repeat(33)],
    ["100,000 keys", `{${Array.from({ length: 90_000 }, (_, key) => `"${key}":1`).join(",")}}`],
    ["a million items", `[${"1,".repeat(499_000)}1]`],
  ];
  const others: [title: string, body: WireBody][] = [
    ["null", "null"],
    ["a number", "7"],
    ["a text", '"text"'],
    ["an array", "[]"],
    ["an array around the right object", JSON.stringify([person])],
    ["32 levels of arrays", "[".repeat(32) + "]".repeat(32)],
  ];
  test.each(targets)("%s", async (path) => {
    for (const [title, body] of broken) {
      const startedAt = performance.now();
      const refusal = await readRefusal(await send(path, body), [canary]);
      expect({ title, ...refusal }).toMatchObject({ title, status: 400, code: "BAD_REQUEST" });
      // Far from what refusing takes, and far below what explaining such a body would take.
      expect([title, performance.now() - startedAt < 1_000]).toEqual([title, true]);
    }
    for (const [title, body] of others) {
      const refusal = await readRefusal(await send(path, body), [canary]);
      const errors = [{ path: "", message: fieldTexts.notAnObject }];
      expect({ title, ...refusal }).toMatchObject({ title, status: 422, errors });
    }
  });
});

describe("Z3: an unknown member is refused and changes nothing, at", () => {
  const names = [
    "role",
    "isAdmin",
    "emailVerified",
    "emailVerifiedAt",
    "presentedToken",
    "googleId",
    "id",
    "createdAt",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "Email",
    "email ",
    "name[]",
    "a/b~c",
    "",
    "k".repeat(100),
  ];
  test.each(targets)("%s", async (path, body) => {
    for (const name of names.filter((name) => !(name in body) || name === "toString")) {
      for (const value of ["1", "null", '{"role":"admin","isAdmin":true}', '["admin"]']) {
        for (const place of [inFront, behind]) {
          const refusal = await readRefusal(
            await send(path, place(body, `${JSON.stringify(name)}:${value}`)),
            [canary],
          );
          expect(refusal).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
          expect(refusal.errors).toEqual([{ path: name, message: fieldTexts.unknown }]);
        }
      }
    }
    for (const name of ["isAdmin", "role", "polluted"]) expect(Reflect.get({}, name)).toBeUndefined();
  });

  test.each(targets)("%s: members in a prototype count as missing", async (path, body) => {
    const refusal = await readRefusal(await send(path, `{"__proto__":${JSON.stringify(body)}}`), [canary]);
    expect(refusal.errors.map((error) => error.path).sort()).toEqual(
      ["__proto__", ...Object.keys(body)].sort(),
    );
  });

  test("however many there are, at most 20 are named, and none in full length", async () => {
    const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`${at}`.padEnd(200, "k"), 1]));
    const response = await send("/api/auth/login", JSON.stringify({ ...person, ...many }));
    const text = await response.clone().text();
    const refusal = await readRefusal(response, [canary]);
    expect(refusal.errors).toHaveLength(20);
    expect(text.length).toBeLessThan(5_000);
  });
});

test("a repeated member is refused, whichever is valid and however it is spelled", async () => {
  for (const [path, body] of targets) {
    for (const twice of [
      inFront(body, '"email":"eve@refused.example"'),
      inFront(body, `"email":${JSON.stringify(person.email)}`),
      behind(body, '"\\u0065mail":"eve@refused.example"'),
      behind(body, '"x":{"a":1,"a":2}'),
      inFront(body, '"__proto__":1,"__proto__":2'),
    ]) {
      const refusal = await readRefusal(await send(path, twice), [canary]);
      expect({ twice, ...refusal }).toMatchObject({ twice, status: 400, code: "BAD_REQUEST" });
    }
  }
});

test("a leading byte order mark is ignored; a second one is not", async () => {
  const body = JSON.stringify({ email: "nobody", password: canary });
  const marked = await readRefusal(await send("/api/auth/login", bytesOf([0xef, 0xbb, 0xbf], body)));
  expect(marked.errors).toEqual([{ path: "email", message: authTexts.emailInvalid }]);
  const twice = bytesOf([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], body);
  expect((await readRefusal(await send("/api/auth/login", twice))).code).toBe("BAD_REQUEST");
});

test("text with colons, brackets and quotes is read as text", async () => {
  const odd = { email: '{"a":[1,2,{"b":"\\\\\\""}]}:,', password: '\\"}]:{[,\\\\' };
  const refusal = await readRefusal(await send("/api/auth/login", JSON.stringify(odd)));
  expect(refusal.errors).toEqual([{ path: "email", message: authTexts.emailInvalid }]);
});

test("the content type is matched in any case and with its parameters", async () => {
  const body = JSON.stringify({ email: "nobody", password: canary });
  for (const type of [
    "APPLICATION/JSON",
    "application/json;charset=UTF-8",
    'Application/Json; charset="utf-8"',
  ]) {
    const refusal = await readRefusal(await send("/api/auth/login", body, { "content-type": type }));
    expect(refusal.errors.map(({ path }) => path)).toEqual(["email"]);
  }
});

test("a body of a route without one is ignored", async () => {
  for (const body of ["{", "\u0000", "[".repeat(100_000), JSON.stringify(person)]) {
    const response = await rawCall(host, host.visitor(), { method: "POST", path: "/api/auth/logout", body });
    expect(response.status).toBe(200);
  }
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
