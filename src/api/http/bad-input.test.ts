import { describe, expect, test } from "bun:test";
import { pendingRegistrations } from "#api/db/schema.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { bytesOf, rawCall, type WireBody } from "#api/testing/raw-call.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { fieldTexts } from "#contract/errors.ts";

/** A value for a field as it is in the JSON text, with a name for the test's output. */
type HostileValue = readonly [title: string, json: string];

/** Values that are no text at all. */
const wrongTypes: readonly HostileValue[] = [
  ["null", "null"],
  ["a number", "7"],
  ["a number beyond all bounds", "1e400"],
  ["a boolean", "true"],
  ["an empty array", "[]"],
  ["an array around the value", '["ada@refused.example"]'],
  ["an empty object", "{}"],
  ["an object that pretends to be text", '{"toString":"x","length":9,"trim":null}'],
  ["an operator of another database", '{"$ne":null}'],
  ["an array in arrays, as deep as allowed", `${"[".repeat(31)}${"]".repeat(31)}`],
];

/** Ends of a text that PostgreSQL cannot store. */
const unstorableEnds: readonly HostileValue[] = [
  ["NUL", "\\u0000"],
  ["NUL in the middle", "\\u0000x"],
  ["the first half of a pair", "\\ud800"],
  ["the second half of a pair", "\\udc00"],
  ["two halves the wrong way round", "\\udc00\\ud800"],
];

/** Characters that show nothing, break the line, turn the text around them or are none. */
const unseen: readonly HostileValue[] = [
  ["a right-to-left override", "\\u202e"],
  ["an isolate", "\\u2066"],
  ["an Arabic letter mark", "\\u061c"],
  ["a zero width space", "\\u200b"],
  ["a word joiner", "\\u2060"],
  ["a soft hyphen", "\\u00ad"],
  ["a Hangul filler", "\\u3164"],
  ["an empty Braille pattern", "\\u2800"],
  ["a byte order mark", "\\ufeffx"],
  ["a tag character", "\\udb40\\udc41"],
  ["a private character", "\\ue000"],
  ["a noncharacter", "\\uffff"],
  ["a carriage return and a header", "\\r\\nBcc: all@example.com"],
  ["an escape sequence", "\\u001b[31m"],
  ["a delete", "\\u007f"],
  ["a next line of C1", "\\u0085x"],
  ["a line separator", "\\u2028x"],
];

/** Ends of a text, inside its quotes, that are no UTF-8 or no JSON. */
const brokenEnds: readonly (readonly [title: string, bytes: readonly number[]])[] = [
  ["a byte that UTF-8 never has", [0xff]],
  ["a lone continuation byte", [0x80]],
  ["an overlong slash", [0xc0, 0xaf]],
  ["an overlong NUL", [0xc0, 0x80]],
  ["half a pair in three bytes", [0xed, 0xa0, 0x80]],
  ["a character cut off", [0xe2, 0x82]],
  ["a character above the last", [0xf5, 0x80, 0x80, 0x80]],
  ["a bare control character", [0x01]],
  ["a bare line feed", [0x0a]],
];

/** The JSON text of `body` with one field's value replaced; `null` leaves the field out. */
const withField = (body: object, field: string, json: string | null): string => {
  const { [field]: _left, ...rest }: Record<string, unknown> = { ...body };
  const members = Object.entries(rest).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  if (json !== null) members.push(`${JSON.stringify(field)}:${json}`);
  return `{${members.join(",")}}`;
};

/** The same with a text field whose text ends in these raw bytes. */
const withBrokenEnd = (body: object, field: string, bytes: readonly number[]): Uint8Array<ArrayBuffer> => {
  const text = withField(body, field, JSON.stringify(Reflect.get(body, field)));
  return bytesOf(text.slice(0, -2), bytes, '"}');
};

const host = await hostForFile();
const admin = await host.signedIn("admin");

const canary = "canary-of-a-password";
const person = { name: "Ada Example", email: "ada@refused.example", password: canary };
const calls: { path: string; body: Record<string, string> }[] = [
  { path: "/api/auth/register", body: person },
  { path: "/api/auth/login", body: { email: person.email, password: canary } },
  { path: "/api/auth/resend-verification", body: { email: person.email } },
  { path: "/api/auth/setup", body: { ...person, token: "A".repeat(43) } },
  { path: "/api/admin/users", body: { ...person, role: "user" } },
];

const send = (path: string, body: WireBody) =>
  rawCall(host, path.startsWith("/api/admin") ? admin : host.visitor(), { method: "POST", path, body });

/** What a field says of values that will not do; the value follows what it says of it. */
type Rows = readonly (readonly [message: string, ...HostileValue])[];

const each = (message: string, values: readonly HostileValue[], prefix = ""): Rows =>
  values.map(([title, json]) => [message, title, prefix === "" ? json : `"${prefix}${json}"`]);
const text = (message: string, title: string, value: string) =>
  [message, title, JSON.stringify(value)] as const;

const emails: Rows = [
  ...each(authTexts.emailRequired, wrongTypes),
  text(authTexts.emailRequired, "nothing", ""),
  text(authTexts.emailRequired, "only spaces", " \t\u00a0 "),
  text(authTexts.emailTooLong, "255 characters", `${"a".repeat(241)}@x.example.com`),
  text(authTexts.emailTooLong, "900,000 characters", `${"a".repeat(900_000)}@x.example`),
  ...each(fieldTexts.unprintable, unstorableEnds, person.email),
  ...each(authTexts.emailInvalid, unseen, person.email),
  text(authTexts.emailInvalid, "no sign", "ada"),
  text(authTexts.emailInvalid, "two addresses", "ada@x.example, eve@x.example"),
  ...[
    "ada@localhost",
    "ada@x.example.",
    "ada@@x.example",
    '"ada lovelace"@x.example',
    "ada@x.example\r\nBcc: eve@x.example",
    "ada@x.example%0aBcc:eve@x.example",
    "Ada <ada@x.example>",
    "\ufb01ona@x.example",
  ].map((address) => text(authTexts.emailInvalid, JSON.stringify(address), address)),
  text(authTexts.emailInvalid, "an emoji", "😀@x.example"),
];
const names: Rows = [
  ...each(authTexts.nameRequired, wrongTypes),
  text(authTexts.nameRequired, "nothing", ""),
  text(authTexts.nameRequired, "only spaces", " \t\u00a0\u3000 "),
  text(authTexts.nameTooLong, "101 characters", "n".repeat(101)),
  text(authTexts.nameTooLong, "101 emoji", "😀".repeat(101)),
  text(authTexts.nameTooLong, "900,000 characters", "n".repeat(900_000)),
  text(authTexts.nameUnprintable, "only a zero width joiner", "\u200d"),
  text(authTexts.nameUnprintable, "a header of an email", "Ada\r\nBcc: all@example.com"),
  text(authTexts.nameUnprintable, "only an accent", "\u0301"),
  ...each(fieldTexts.unprintable, unstorableEnds, "Ada"),
  ...each(authTexts.nameUnprintable, unseen, "Ada"),
];
const sentPasswords: Rows = [
  ...each(authTexts.passwordRequired, wrongTypes),
  text(authTexts.passwordRequired, "nothing", ""),
  text(authTexts.passwordTooLong, "129 characters", canary.padEnd(129, "x")),
  text(authTexts.passwordTooLong, "200,000 emoji", canary + "😀".repeat(200_000)),
  ...each(fieldTexts.unprintable, unstorableEnds, canary),
];
const newPasswords: Rows = [
  ...sentPasswords,
  text(authTexts.passwordTooShort, "only spaces", "       "),
  text(authTexts.passwordTooShort, "7 emoji", "😀".repeat(7)),
];
const roles: Rows = [
  ...each("Please choose user or admin", wrongTypes),
  ...["", " ", "owner", "Admin", "user ", "admin,user"].map((role) =>
    text("Please choose user or admin", JSON.stringify(role), role),
  ),
  ...each(fieldTexts.unprintable, unstorableEnds, "user"),
];
const tokens: Rows = [
  ...each(authTexts.setupInvalid, wrongTypes),
  ...each(fieldTexts.unprintable, unstorableEnds, "A".repeat(43)),
];
const fields: Record<string, Rows> = { name: names, email: emails, role: roles, token: tokens };

const rowsOf = (path: string, field: string): Rows => {
  if (field === "password") return path === "/api/auth/login" ? sentPasswords : newPasswords;
  return fields[field] ?? [];
};

/** Runs `calls` and sees that the database, the mails and the hashes are as before. */
const changingNothing = async (run: () => Promise<void>) => {
  const state = async () => [await contentsOf(host.db), host.mails.length, host.services.hasher.computed];
  const before = await state();
  await run();
  expect(await state()).toEqual(before);
};

const everyField = calls.flatMap(({ path, body }) =>
  Object.keys(body).map((field) => [path, field, body] as const),
);

describe("E3, E4: an invalid value is a 422 with the field's own message, and changes nothing:", () => {
  test.each(everyField)("%s %s", async (path, field, body) => {
    const rows = rowsOf(path, field);
    const missing = rows[0]?.[0] ?? "";
    const cases = [[missing, "left out", null] as const, ...rows];
    await changingNothing(async () => {
      for (const [message, title, json] of cases) {
        const refusal = await readRefusal(await send(path, withField(body, field, json)), [canary]);
        expect({ title, ...refusal }).toEqual({
          title,
          status: 422,
          code: "VALIDATION_FAILED",
          message: expect.any(String),
          errors: [{ path: field, message }],
          setsCookie: false,
        });
      }
    });
  });
});

describe("bytes that are not UTF-8 or not JSON are a 400, and change nothing:", () => {
  test.each(everyField)("%s %s", async (path, field, body) => {
    await changingNothing(async () => {
      for (const [title, bytes] of brokenEnds) {
        const refusal = await readRefusal(await send(path, withBrokenEnd(body, field, bytes)), [canary]);
        expect({ title, ...refusal }).toMatchObject({ title, status: 400, code: "BAD_REQUEST" });
      }
    });
  });

  test("a text that is not a token is a 400 as well, whatever it looks like", async () => {
    const body = { ...person, token: "" };
    await changingNothing(async () => {
      for (const token of ["", "  ", "A".repeat(42), "😀", "x".repeat(900_000), "__proto__", "\u202e"]) {
        const response = await send("/api/auth/setup", JSON.stringify({ ...body, token }));
        expect(await readRefusal(response, [canary])).toMatchObject({ status: 400, code: "TOKEN_INVALID" });
      }
    });
  });
});

test("all invalid fields are named together, each once", async () => {
  const refusal = await readRefusal(
    await send("/api/auth/register", '{"name":"","email":"ada","password":"short","role":"admin"}'),
  );
  expect(refusal.errors.sort((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: "email", message: authTexts.emailInvalid },
    { path: "name", message: authTexts.nameRequired },
    { path: "password", message: authTexts.passwordTooShort },
    { path: "role", message: fieldTexts.unknown },
  ]);
});

describe("unusual values are accepted as they are:", () => {
  const odd: [string, Partial<typeof person>][] = [
    ["a name of 100 emoji", { name: "😀".repeat(100) }],
    ["an accent of its own (NFD)", { name: "Jose\u0301" }],
    ["an accent in the letter (NFC)", { name: "Jos\u00e9" }],
    ["a Persian name with its joiner", { name: "علی\u200cرضا" }],
    ["a person at a computer", { name: "Ada 👩🏽\u200d💻" }],
    ["a name from right to left", { name: "שרה לוי" }],
    ["markup", { name: '<b>Ada</b> & "Co" \'); drop table users;--' }],
    ["an address of 254 characters", { email: `${"a".repeat(240)}@x.example.com` }],
    ["an address in another script", { email: "用户@例え.テスト" }],
    ["a password of 8 emoji", { password: "😀👍🎉🌍🔥💧🌱🍀" }],
    [
      "a password of 128 characters with spaces around",
      { password: ` ${"pass-phrase ".repeat(11)}`.slice(0, 128) },
    ],
  ];
  test.each(odd)("%s", async (_title, change) => {
    const asked = { ...person, email: `odd.${crypto.randomUUID()}@example.test`, ...change };
    expect((await send("/api/auth/register", JSON.stringify(asked))).status).toBe(201);
    const rows = await host.db.select().from(pendingRegistrations);
    const stored = rows.find(({ email }) => email === asked.email);
    expect(stored?.name).toBe(asked.name);
    expect(await host.services.hasher.verify(asked.password, stored?.passwordHash ?? null)).toBe(true);
  });
});
