import { describe, expect, test } from "bun:test";
import { refusal, success, type World } from "#cli/testing/run.ts";
import {
  accounts,
  callsOf,
  changesOf,
  core,
  credentials,
  settings,
  site,
  testResult,
  uploaded,
} from "#cli/testing/settings-world.ts";

describe("settings get", () => {
  test("shows every setting with its path and no secret", async () => {
    const { out } = await settings(["get"]);
    expect(out).toContain("core.rateLimiting.maxRequests\t100\n");
    expect(out).toContain("credentials.redis.hasPassword\ttrue\n");
    expect(out).not.toContain("secretAccessKey\t");
    expect(out).not.toContain("otherEndpoints");
    expect(JSON.parse((await settings(["get", "--json"])).out)).toEqual({
      core,
      accounts,
      site,
      credentials,
    });
  });

  test("marks what can't be changed here, and shows a text of several lines in one", async () => {
    const locked = [{ path: "name", reason: "Set by SITE_FILE" }];
    const answer = () => success({ ...site, homeText: "One\n\ntwo", locked });
    const { out } = await settings(["get", "site"], { answer });
    expect(out).toContain(`site.name\t${site.name} (Set by SITE_FILE)\n`);
    expect(out).toContain("site.homeText\tOne two\n");
  });

  test("shows a section, and one value bare", async () => {
    expect((await settings(["get", "core.security"])).out).toBe(
      "core.security.trustProxy\ttrue\ncore.security.helmetEnabled\ttrue\ncore.security.corsEnabled\tfalse\n",
    );
    expect((await settings(["get", "core.rateLimiting.maxRequests"])).out).toBe("100\n");
    expect((await settings(["get", "core.rateLimiting.message"])).out).toBe("Too many\n");
    expect((await settings(["get", "core.rateLimiting.message", "--json"])).out).toBe('"Too many"\n');
  });

  test("shows one value to a person without what steers the terminal, and to a program as it is", async () => {
    const message = "Too\u001b[31m \u009bmany\u202e";
    const steering = () => success({ ...core, rateLimiting: { ...core.rateLimiting, message } });
    const get = (world: World) =>
      settings(["get", "core.rateLimiting.message"], { answer: steering, ...world });
    expect((await get({ isTerminal: true })).out).toBe("Too\ufffd[31m \ufffdmany\ufffd\n");
    expect((await get({ isTerminal: false })).out).toBe(`${message}\n`);
  });

  test("names what was likely meant by an unknown path, and refuses to show secrets", async () => {
    const unknown = await settings(["get", "core.maxRequests"]);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain("did you mean core.rateLimiting.maxRequests?");
    const secret = await settings(["get", "credentials.cloudflareR2.accessKeyId"]);
    expect([secret.code, secret.calls.length]).toEqual([2, 0]);
    expect(secret.err).toContain("atrium settings get credentials.cloudflareR2.hasAccessKeyId");
  });
});

describe("settings image", () => {
  test("uploads a file, and has the site use it", async () => {
    const file = "src/ui/public/icon-512.png";
    const outcome = await settings(["image", "icon", file]);
    const content = Buffer.from(await Bun.file(file).bytes()).toString("base64");
    expect(await changesOf(outcome)).toEqual([
      `POST site/images {"image":"icon","files":[{"use":"full","content":"${content}"}]}`,
      `PUT site {"icon":"${uploaded}"}`,
    ]);
    expect(outcome.out).toBe(`The site uses ${file} as its icon\n`);
  });

  test("names the image that the server refuses as it was typed", async () => {
    const errors = [{ path: "files.0", message: "no PNG" }];
    const answer = () => refusal(422, "VALIDATION_FAILED", "x", errors);
    const outcome = await settings(["image", "icon", "src/ui/public/icon-512.png"], { answer });
    expect([outcome.code, outcome.err]).toEqual([2, expect.stringContaining("no PNG (icon)")]);
  });

  test("says what can't be read, or is no image of the site, before it asks the server", async () => {
    for (const [words, said] of [
      [["logo", "no/such.png"], "cannot read no/such.png"],
      [["banner", "a.png"], "Allowed choices are logo, logoDark, icon, card."],
      [[], "Give one of logo, logoDark, icon, card, and a file."],
    ] as const) {
      const outcome = await settings(["image", ...words]);
      expect([outcome.code, outcome.calls.length, outcome.err]).toEqual([
        2,
        0,
        expect.stringContaining(said),
      ]);
    }
  });
});

describe("settings set", () => {
  test("sends what was named and nothing else, each part in one call", async () => {
    const one = await settings(["set", "core.rateLimiting.maxRequests", "100"]);
    expect(await changesOf(one)).toEqual(['PUT core {"rateLimiting":{"maxRequests":100}}']);
    const several = await settings([
      ...["set", "core.security.corsEnabled", "off", "core.rateLimiting.enabled", "true"],
      ...["credentials.cloudflareR2.bucket", "files", "accounts.verification", "always-choose"],
      ...["site.name", "core.Works & more"],
    ]);
    expect(await changesOf(several)).toEqual([
      'PUT core {"security":{"corsEnabled":false},"rateLimiting":{"enabled":true}}',
      'PUT accounts {"verification":"always-choose"}',
      'PUT site {"name":"core.Works & more"}',
      'PUT credentials {"cloudflareR2":{"bucket":"files"}}',
    ]);
  });

  test("says of each value whether it is now so, or was so already", async () => {
    const changed = { ...core, rateLimiting: { ...core.rateLimiting, maxRequests: 50 } };
    const answer = ({ method }: Request) => success(method === "PUT" ? changed : core);
    const words = ["set", "core.rateLimiting.maxRequests", "50", "core.security.trustProxy", "on"];
    expect((await settings(words, { answer })).out).toBe(
      "core.rateLimiting.maxRequests is now 50\ncore.security.trustProxy is already true\n",
    );
    // Who may change settings and not read them.
    const unread = ({ method }: Request) =>
      method === "PUT" ? success(core) : refusal(403, "FORBIDDEN", "Not allowed");
    expect(await settings(["set", "core.security.trustProxy", "on"], { answer: unread })).toMatchObject({
      ...{ code: 0, err: "" },
      out: "core.security.trustProxy is now true\n",
    });
  });

  test.each([
    ["1m", 60_000],
    ["5m", 300_000],
    ["10m", 600_000],
    ["15m", 900_000],
    ["30m", 1_800_000],
    ["1h", 3_600_000],
    ["300000", 300_000],
  ])("takes %s for the length of the window", async (word, windowMs) => {
    const outcome = await settings(["set", "core.rateLimiting.windowMs", word]);
    expect(await changesOf(outcome)).toEqual([`PUT core {"rateLimiting":{"windowMs":${windowMs}}}`]);
  });

  test("names what a number and a window can be when a word is neither", async () => {
    const many = await settings(["set", "core.rateLimiting.maxRequests", "many"]);
    expect(many.err).toContain("must be a whole number from 10 to 10000");
    const long = await settings(["set", "core.rateLimiting.windowMs", "2h"]);
    expect([long.code, long.calls.length]).toEqual([2, 0]);
    expect(long.err).toContain("must be 1m, 5m, 10m, 15m, 30m, 1h, or one of these in milliseconds");
    expect((await settings(["set", "--help"])).out).toContain(
      "1m, 5m, 10m, 15m, 30m, 1h, or the same in milli",
    );
  });

  test("without a word says what is expected", async () => {
    const outcome = await settings(["set"]);
    expect([outcome.code, outcome.calls.length]).toEqual([2, 0]);
    expect(outcome.err).toContain("missing required argument 'words'. Give a path and its value");
  });

  test("asks for secrets, or reads them from standard input, a line each", async () => {
    const asked = await settings(["set", "credentials.redis.password"], { typed: ["hunter2"] });
    expect(await changesOf(asked)).toEqual(['PUT credentials {"redis":{"password":"hunter2"}}']);
    expect([asked.out, asked.err]).toEqual(["credentials.redis.password was saved\n", ""]);
    const words = ["credentials.redis.endpoint", "redis://a.example", "credentials.redis.password"];
    const piped = await settings(["set", ...words, "--stdin"], { input: "a b \n" });
    expect(await changesOf(piped)).toEqual([
      'PUT credentials {"redis":{"endpoint":"redis://a.example","password":"a b "}}',
    ]);
    const two = ["credentials.cloudflareR2.accessKeyId", "credentials.cloudflareR2.secretAccessKey"];
    const both = await settings(["set", ...two, "--stdin"], { input: "id\r\nsecret\r\n" });
    expect(await changesOf(both)).toEqual([
      'PUT credentials {"cloudflareR2":{"accessKeyId":"id","secretAccessKey":"secret"}}',
    ]);
  });

  test("reads a text of several lines, or a list of them, from standard input as a whole", async () => {
    const read = async (path: string, input: string) =>
      changesOf(await settings(["set", path, "--stdin"], { input }));
    expect(await read("site.termsText", "# A\n\nb\n")).toEqual(['PUT site {"termsText":"# A\\n\\nb\\n"}']);
    expect(await read("site.socialLinks", "Us https://b.example\nOur shop https://c.example\n")).toEqual([
      'PUT site {"socialLinks":["Us https://b.example","Our shop https://c.example"]}',
    ]);
  });

  test("an endpoint with a password comes from standard input", async () => {
    const input = "redis://:hunter2@a.example\n";
    const piped = await settings(["set", "credentials.redis.endpoint", "--stdin"], { input });
    expect(await changesOf(piped)).toEqual([
      'PUT credentials {"redis":{"endpoint":"redis://:hunter2@a.example"}}',
    ]);
  });

  describe("S1: of an endpoint with a password", () => {
    const secret = "hunter2";
    const endpoint = `redis://:${secret}@cache.example`;
    const set = (world: World, ...words: string[]) =>
      settings(["set", "credentials.redis.endpoint", ...words, "--stdin"], {
        input: `${endpoint}\n`,
        ...world,
      });

    test("is shown what the server keeps, and that the password was saved", async () => {
      const plain = await set({});
      expect([plain.out, plain.err]).toEqual([
        "credentials.redis.endpoint is now redis://cache.example\ncredentials.redis.password was saved\n",
        "",
      ]);
      const json = await set({}, "--json");
      expect([JSON.parse(json.out), json.err]).toEqual([{ credentials }, ""]);
      const both = await set({ input: `${endpoint}\nanother\n` }, "credentials.redis.password");
      expect(both.out).toBe(plain.out);
    });

    test.each<[string, World["answer"]]>([
      [
        "refuses it",
        () => refusal(422, "VALIDATION_FAILED", "x", [{ path: "redis.endpoint", message: "no" }]),
      ],
      ["fails", () => refusal(500, "INTERNAL", "Something went wrong")],
      ["answers in a strange way", () => new Response("<html>", { status: 502 })],
      ["breaks off", () => Promise.reject(new Error("away"))],
    ])("is shown nothing when the server %s", async (_, broken) => {
      for (const words of [[], ["--json"]]) {
        const outcome = await set(broken === undefined ? {} : { answer: broken }, ...words);
        expect(outcome.code).not.toBe(0);
        expect(outcome.out + outcome.err).not.toContain(secret);
      }
    });

    test.each([
      ["behind an equals sign", [`credentials.redis.password=${secret}`]],
      ["behind a value", ["credentials.redis.endpoint", "redis://a.example", secret]],
      ["with a slash in it", ["credentials.redis.endpoint", `redis://:${secret}/x@a.example`]],
      ["with an at sign in it", ["credentials.redis.endpoint", `redis://:x@${secret}@a.example`]],
    ])("is never shown when it is on the command line %s", async (_, words) => {
      const outcome = await settings(["set", ...words]);
      expect([outcome.code, outcome.calls.length]).toEqual([2, 0]);
      expect(outcome.out + outcome.err).not.toContain(secret);
    });
  });

  test("clears secrets and endpoints", async () => {
    const words = ["credentials.redis.endpoint", "credentials.redis.password"];
    expect(await changesOf(await settings(["set", ...words, "--clear"]))).toEqual([
      'PUT credentials {"redis":{"endpoint":"","password":null}}',
    ]);
  });

  test.each([
    ["a secret as an argument", ["credentials.redis.password", "hunter2"]],
    ["a password inside an address", ["credentials.redis.endpoint", "redis://:hunter2@a.example"]],
    ["a path without a value", ["core.rateLimiting.maxRequests"]],
    ["a word for a number", ["core.rateLimiting.maxRequests", "many"]],
    ["a number for a switch", ["core.security.trustProxy", "1"]],
    ["a setting that does not exist", ["core.security.everything", "on"]],
    ["a path twice", ["core.security.trustProxy", "on", "core.security.trustProxy", "off"]],
    ["--clear of what always has a value", ["core.rateLimiting.message", "--clear"]],
    ["--stdin with nothing missing", ["core.rateLimiting.message", "x", "--stdin"]],
    ["a secret without a terminal", ["credentials.redis.password"]],
  ])("rejects %s, and sends nothing", async (_, words) => {
    const outcome = await settings(["set", ...words]);
    expect([outcome.code, outcome.calls.length]).toEqual([2, 0]);
    expect(outcome.out + outcome.err).not.toContain("hunter2");
  });

  test("shows what the server refuses field by field", async () => {
    const errors = [
      { path: "rateLimiting.maxRequests", message: "Max Requests must be a whole number from 10 to 10000" },
    ];
    const refused = () => refusal(422, "VALIDATION_FAILED", "x", errors);
    const outcome = await settings(["set", "core.rateLimiting.maxRequests", "9"], { answer: refused });
    expect(outcome.code).toBe(2);
    expect(outcome.err).toContain(
      "Max Requests must be a whole number from 10 to 10000 (core.rateLimiting.maxRequests)",
    );
    const managed = () => refusal(409, "MANAGED_BY_FIREWALL", "Core settings are managed by firewall");
    const locked = await settings(["set", "core.security.trustProxy", "off"], { answer: managed });
    expect([locked.code, locked.err]).toEqual([
      1,
      "error: Core settings are managed by firewall\n  requestId req-1\n",
    ]);
  });
});

describe("settings test", () => {
  test.each([
    [["redis"], "POST test-redis {}"],
    [["r2"], "POST test-r2 {}"],
    [["rate-limit"], "POST test-rate-limit"],
    [["mail", "--to", "ada@example.com"], 'POST test-mail {"to":"ada@example.com"}'],
  ])("%j asks the server to try it", async (words, call) => {
    const outcome = await settings(["test", ...words]);
    expect([outcome.code, await callsOf(outcome)]).toEqual([0, [call]]);
  });

  test("shows each step with its time and remedy, steers no terminal, and fails when the service does", async () => {
    const failed = () =>
      Response.json(
        {
          success: false,
          code: "TEST_FAILED",
          message: "Wrong password",
          requestId: "r",
          data: { testResult },
        },
        { status: 422 },
      );
    const outcome = await settings(["test", "redis"], { answer: failed });
    expect(outcome.code).toBe(1);
    expect(outcome.out).toBe(
      [
        "Redis Connection Test Failed",
        "Wrong password",
        "passed   Address: cache.example is 203.0.113.9 (2 ms)",
        "failed   Sign-in: wrong password\ufffd[2J",
        "         Enter it again",
        "",
      ].join("\n"),
    );
    const json = await settings(["test", "redis", "--json"], { answer: failed });
    expect(JSON.parse(json.out)).toEqual({ testResult });
    expect(JSON.parse(json.err)).toMatchObject({ code: "TEST_FAILED", data: { testResult } });
  });

  test("without a service names those that there are, as for one that there is not", async () => {
    for (const words of [["test"], ["test", "everything"]]) {
      const outcome = await settings(words);
      expect([outcome.code, outcome.calls.length]).toEqual([2, 0]);
      expect(outcome.err).toContain("Allowed choices are redis, r2, rate-limit, mail.");
    }
    expect((await settings(["test", "--help"])).code).toBe(0);
  });

  test.each(["everything", "mail", "redis --to a@b.example"])("takes no %s", async (words) => {
    const outcome = await settings(["test", ...words.split(" ")]);
    expect([outcome.code, outcome.calls.length]).toEqual([2, 0]);
  });
});
