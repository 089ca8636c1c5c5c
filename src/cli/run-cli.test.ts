import { describe, expect, test } from "bun:test";
import { refusal, run, success } from "./testing/run.ts";

const ada = {
  id: "018f7a5e-0000-7000-8000-000000000001",
  name: "Ada",
  email: "ada@example.com",
  role: "admin",
  googleId: null,
  githubId: null,
  emailVerified: true,
  createdAt: "2026-11-20T18:40:12.000Z",
};
const page = {
  users: [
    { ...ada, disabled: false, lastSeenAt: "2026-11-20T19:00:00.000Z" },
    {
      ...ada,
      name: "Eve\u001b[2J\ttab",
      email: "eve@example.com",
      role: "user",
      emailVerified: false,
      disabled: true,
      lastSeenAt: null,
    },
  ],
  pagination: { total: 30, limit: 2, offset: 0 },
};
const createAda = ["admin", "create", "--email", "ada@example.com", "--name", "Ada"];
const password = "correct-horse-battery";

describe("wrong usage ends with 2 and says what is wrong", () => {
  const table: [string, string[], RegExp][] = [
    ["no command", [], /command is missing/],
    ["half a command", ["admin"], /command is missing/],
    ["a group of commands alone", ["user"], /see: atrium user --help\n$/],
    ["an unknown command", ["stauts"], /unknown command 'stauts'[\s\S]*status/],
    ["an unknown option", ["status", "--verbose"], /unknown option '--verbose'/],
    ["a missing option", ["admin", "create", "--name", "Ada"], /--email/],
    ["an option without its value", ["user", "list", "--limit"], /--limit/],
    ["a number that is none", ["user", "list", "--limit", "ten"], /whole number/],
    ["too many words", ["status", "now"], /too many arguments/],
    ["a token file without a server", ["status", "--token-file", "x"], /--url/],
    ["a local command on a server elsewhere", ["migrate", "--url", "https://atrium.example"], /this machine/],
    ["doctor on a server elsewhere", ["doctor", "--url", "https://atrium.example"], /this machine/],
    ["serve on a server elsewhere", ["serve", "--url", "https://atrium.example"], /this machine/],
  ];
  for (const [title, argv, text] of table) {
    test(title, async () => {
      const { code, out, err } = await run(argv);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toMatch(text);
    });
  }

  test("with --json the envelope goes to standard error", async () => {
    const { code, out, err } = await run(["status", "--verbose", "--json"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(JSON.parse(err)).toEqual({ success: false, code: "USAGE", message: "unknown option '--verbose'" });
    const group = await run(["user", "--json"]);
    expect(JSON.parse(group.err)).toMatchObject({ message: "a command is missing; see: atrium user --help" });
  });
});

describe("M1: secrets are never taken from an argument", () => {
  for (const argv of [
    [...createAda, "--password", "hunter2canary"],
    [...createAda, "--password=hunter2canary"],
    ["status", "--url", "https://atrium.example", "--token=hunter2canary"],
    ["status", "--url", "https://ada:hunter2canary@atrium.example"],
  ]) {
    test(`${argv.join(" ").replace("hunter2canary", "…")} is wrong usage, and the secret is not repeated`, async () => {
      const { code, out, err, calls } = await run(argv, { answer: () => success(ada) });
      expect(code).toBe(2);
      expect(calls).toEqual([]);
      expect(out + err).not.toContain("hunter2canary");
    });
  }
});

describe("--json steers no terminal:", () => {
  const steering = ["\u007f", "\u009b", "\u0085", "\u202e", "\u2066", "\u061c", "\u200f"].join("2J");
  const name = `Eve ${steering} \ud83d\ude00`;

  test("results are the same JSON value, with what steers escaped", async () => {
    const data = {
      users: [{ ...ada, name, disabled: false, lastSeenAt: null }],
      pagination: page.pagination,
    };
    const { out } = await run(["user", "list", "--json"], { answer: () => success(data) });
    expect(out).not.toMatch(/[\u007f-\u009f\p{Bidi_Control}]/u);
    expect(out).toContain("\\u009b2J");
    expect(out).toContain("\ud83d\ude00");
    expect(JSON.parse(out)).toEqual(data);
  });

  test("failures too", async () => {
    const answer = () => refusal(409, "CONFLICT", name);
    const { err } = await run(["user", "list", "--json"], { answer });
    expect(err).not.toMatch(/[\u007f-\u009f\p{Bidi_Control}]/u);
    expect(JSON.parse(err)).toMatchObject({ code: "CONFLICT", message: name });
  });
});

describe("help and version", () => {
  test("go to standard output and end with 0", async () => {
    expect(await run(["--version"])).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
    const { code, out, err } = await run(["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Examples:");
  });
});

describe("admin create", () => {
  test("sends name, address, password and role, and prints who was made", async () => {
    const { code, out, calls, isClosed } = await run([...createAda, "--password-stdin"], {
      input: `${password}\n`,
      answer: () => success(ada, 201),
    });
    expect({ code, out, isClosed }).toEqual({
      code: 0,
      out: "Created the administrator Ada <ada@example.com>\n",
      isClosed: true,
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.method).toBe("POST");
    expect(new URL(calls[0]?.url ?? "").pathname).toBe("/api/admin/users");
    expect(await calls[0]?.json()).toEqual({
      email: "ada@example.com",
      name: "Ada",
      password,
      role: "admin",
    });
  });

  test("keeps spaces in the password and drops one line break at its end", async () => {
    const { calls } = await run([...createAda, "--password-stdin"], {
      input: "  spaces and\ttab  \r\n",
      answer: () => success(ada, 201),
    });
    expect(await calls[0]?.json()).toMatchObject({ password: "  spaces and\ttab  " });
  });

  test("asks twice on a terminal", async () => {
    const { code, calls } = await run(createAda, {
      typed: [password, password],
      answer: () => success(ada, 201),
    });
    expect(code).toBe(0);
    expect(await calls[0]?.json()).toMatchObject({ password });
  });

  const refusals: [string, Parameters<typeof run>, number, RegExp][] = [
    ["two passwords that differ", [createAda, { typed: [password, `${password}x`] }], 2, /do not match/],
    [
      "a password that is too short, before it is asked again",
      [createAda, { typed: ["short"] }],
      2,
      /at least 8/,
    ],
    ["an empty standard input", [[...createAda, "--password-stdin"], { input: "\n" }], 2, /enter a password/],
    [
      "bytes that are no text",
      [[...createAda, "--password-stdin"], { input: new Uint8Array([255, 254, 1]) }],
      2,
      /UTF-8/,
    ],
    ["no terminal to ask on", [createAda, {}], 2, /--password-stdin/],
    ["an ended prompt", [createAda, { typed: [] }], 1, /canceled/],
    [
      "a malformed address, before any password",
      [["admin", "create", "--email", "ada", "--name", "Ada"], {}],
      2,
      /email/,
    ],
    ["an empty name", [["admin", "create", "--email", "ada@example.com", "--name", " "], {}], 2, /name/],
  ];
  for (const [title, [argv, world], code, text] of refusals) {
    test(`refuses ${title}, and sends nothing`, async () => {
      const outcome = await run(argv, { ...world, answer: () => success(ada, 201) });
      expect({ code: outcome.code, out: outcome.out, calls: outcome.calls }).toEqual({
        code,
        out: "",
        calls: [],
      });
      expect(outcome.err).toMatch(text);
    });
  }
});

describe("what the API refuses", () => {
  const table: [number, string, number][] = [
    [401, "NOT_SIGNED_IN", 3],
    [403, "FORBIDDEN", 3],
    [421, "MISDIRECTED_HOST", 3],
    [503, "DB_UNAVAILABLE", 3],
    [503, "SHUTTING_DOWN", 3],
    [409, "CONFLICT", 1],
    [422, "VALIDATION_FAILED", 2],
    [429, "RATE_LIMITED", 1],
    [500, "INTERNAL", 1],
    [507, "STORAGE_FULL", 1],
  ];
  for (const [status, kind, expected] of table) {
    test(`${kind} ends with ${expected}, names the request, and leaves standard output empty`, async () => {
      const { code, out, err, isClosed } = await run(["user", "list"], {
        answer: () => refusal(status, kind, "No."),
      });
      expect({ code, out, isClosed }).toEqual({ code: expected, out: "", isClosed: true });
      expect(err).toBe("error: No.\n  requestId req-1\n");
    });
  }

  test("is shown with its fields, and with --json as the envelope itself", async () => {
    const errors = [{ path: "email", message: "Please enter a valid email address" }];
    const answer = () => refusal(422, "VALIDATION_FAILED", "Please check", errors);
    const two = [...errors, { path: "name", message: "Please enter your name" }];
    const both = await run(["user", "list"], {
      answer: () => refusal(422, "VALIDATION_FAILED", "Please check", two),
    });
    expect(both.err).toContain(
      "error: Please check\n  email: Please enter a valid email address\n  name: Please enter your name\n",
    );
    expect(JSON.parse((await run(["user", "list", "--json"], { answer })).err)).toEqual({
      success: false,
      code: "VALIDATION_FAILED",
      message: "Please check",
      requestId: "req-1",
      errors,
    });
  });
});

test("a refusal of one field begins with what is wrong with it", async () => {
  const errors = [{ path: "email", message: "Please enter a valid email address" }];
  const answer = () => refusal(422, "VALIDATION_FAILED", "Please check the highlighted fields", errors);
  const { err } = await run(["user", "list"], { answer });
  expect(err).toBe("error: Please enter a valid email address (email)\n  requestId req-1\n");
});

describe("user list", () => {
  test("passes on what was asked for, and nothing else", async () => {
    const { calls } = await run(["user", "list", "--search", "a&b", "--limit", "2", "--offset", "4"], {
      answer: () => success(page),
    });
    expect(new URL(calls[0]?.url ?? "").search).toBe("?search=a%26b&limit=2&offset=4");
    const plain = await run(["user", "list"], { answer: () => success(page) });
    expect(new URL(plain.calls[0]?.url ?? "").search).toBe("");
  });

  test("prints one account per line with tabs between its cells without a terminal, control characters replaced", async () => {
    const { out, err } = await run(["user", "list"], { answer: () => success(page) });
    expect(out).toBe(
      "ada@example.com\tAda\tadmin\tverified\t2026-11-20 19:00Z\t2026-11-20 18:40Z\n" +
        "eve@example.com\tEve\uFFFD[2J\uFFFDtab\tuser\tdisabled\tnever\t2026-11-20 18:40Z\n",
    );
    expect(err).toBe("");
  });

  test("prints a table with headings, colors and the total on a terminal", async () => {
    const { out, err } = await run(["user", "list"], { isTerminal: true, answer: () => success(page) });
    const lines = Bun.stripANSI(out).split("\n");
    expect(lines[0]).toMatch(/^EMAIL +NAME +ROLE +STATUS +LAST SEEN +CREATED$/);
    expect(lines[1]).toMatch(/^ada@example\.com {2}Ada +admin {2}verified {2}2026/);
    expect(out).toContain("\u001b[");
    expect(err).toBe("2 of 30 accounts; see the next with --offset 2\n");
  });

  test("prints no colors with NO_COLOR, and none on a dumb terminal", async () => {
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const { out } = await run(["user", "list"], { isTerminal: true, env, answer: () => success(page) });
      expect(out).not.toContain("\u001b");
      expect(out).toStartWith("EMAIL");
    }
  });
});

describe("status", () => {
  test("ends with 3 when no server runs, says how to start one, and opens nothing itself", async () => {
    const { code, err, calls } = await run(["status"], { answer: () => success({}) });
    expect(code).toBe(3);
    expect(err).toContain("atrium serve");
    expect(calls).toEqual([]);
  });
});
