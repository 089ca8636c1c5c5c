import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { createTestHost, type TestClient, type TestHost } from "#api/testing/host.ts";
import { bytesOf, rawCall, type WireBody } from "#api/testing/raw-call.ts";
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
