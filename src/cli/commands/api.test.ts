import { describe, expect, test } from "bun:test";
import { CliFailure } from "#cli/failure.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { ok, plugin } from "#cli/testing/plugins.ts";
import { refusal, run } from "#cli/testing/run.ts";

const document = {
  openapi: "3.1.0",
  paths: {
    "/api/auth/logout": { get: { summary: "Sign out" } },
    "/api/firewall/rates": { get: { summary: "List rate rules" }, post: { summary: "Add a rate rule" } },
    "/api/firewall/rates/{id}": { put: { summary: "Change a rate rule" } },
    "/api/firewall/rates/all": { put: { summary: "Change every rate rule" } },
  },
};
const firewall = { ...plugin, name: "firewall" };
const rates = [{ id: 1, name: "nightly" }];
const answer = ({ url }: Request) => {
  const { pathname } = new URL(url);
  if (pathname === "/swagger/json") return Response.json(document);
  return pathname === "/api/plugins" ? ok([firewall]) : ok(rates);
};
const urlOf = ({ url }: Request) => url.slice("http://localhost".length);

describe("api", () => {
  test("makes the call that is typed, in small letters too, and prints all that was answered", async () => {
    const { code, out, calls } = await run(["api", "get", "/api/firewall/rates?limit=5"], { answer });
    expect([code, JSON.parse(out)]).toEqual([0, { success: true, message: "Done", data: rates }]);
    expect(calls.map((call) => `${call.method} ${urlOf(call)}`)).toEqual(["GET /api/firewall/rates?limit=5"]);
  });

  test("with --json prints the data alone", async () => {
    const { out } = await run(["api", "GET", "/api/firewall/rates", "--json"], { answer });
    expect(await fitsSchema("api", out)).toEqual(rates);
  });

  test("sends the JSON of a file, or of standard input", async () => {
    const sent: unknown[] = [];
    const world = {
      answer: async (request: Request) => {
        sent.push([request.method, request.headers.get("content-type"), await request.text()]);
        return ok(null);
      },
    };
    await run(["api", "POST", "/api/notes", "--body", "-"], { ...world, input: '{"name":"nightly"}' });
    await run(["api", "DELETE", "/api/notes/1"], world);
    expect(sent).toEqual([
      ["POST", "application/json", '{"name":"nightly"}'],
      ["DELETE", null, ""],
    ]);
    const { code } = await run(["api", "PUT", "/api/notes", "--body", "package.json"], world);
    expect([code, sent.at(-1)]).toEqual([
      0,
      ["PUT", "application/json", await Bun.file("package.json").text()],
    ]);
  });

  test.each([
    [["FETCH", "/api/plugins"], "It must be one of GET, POST, PUT, PATCH, DELETE"],
    [["GET", "/admin"], "It must be a path"],
    [["GET", "/api/../etc"], "It must be a path"],
    [["GET", "/api/a b"], "It must be a path"],
    [["GET", "https://elsewhere.example/api/plugins"], "It must be a path"],
    [["GET", "/api/plugins", "--body", "-"], "GET takes no body"],
    [["POST", "/api/plugins", "--body", "-"], "the body is not valid JSON"],
    [["POST", "/api/plugins", "--body", "/nonexistent"], "cannot read /nonexistent"],
    [
      ["POST", "/api/plugins", "--body", "-", "--url", "https://a.example", "--token-file", "-"],
      "standard input can't be both the token and the body",
    ],
  ])("%j is wrong usage, and nothing is called", async (words, said) => {
    const { code, err, calls } = await run(["api", ...words], { answer, input: "{" });
    expect([code, calls]).toEqual([2, []]);
    expect(err).toContain(said);
  });

  test("with --plan reads, and says of a change what it is without making it", async () => {
    const plan = async (...words: string[]) => run(["api", ...words, "--plan", "--json"], { answer });
    expect(JSON.parse((await plan("GET", "/api/firewall/rates")).out)).toEqual(rates);
    const { code, out, calls } = await plan("PUT", "/api/firewall/rates/7");
    expect([code, await fitsSchema("api", out)]).toEqual([
      0,
      {
        plan: ["Would call PUT /api/firewall/rates/7: Change a rate rule"],
        calls: ["PUT /api/firewall/rates/7"],
      },
    ]);
    expect(calls.every(({ method }) => method === "GET")).toBe(true);
    expect((await plan("PUT", "/api/firewall/rates/all")).out).toContain("Change every rate rule");
    const unknown = await plan("PUT", "/api/firewall/rate");
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining("there is no call PUT /api/firewall/rate; see: atrium openapi"),
    ]);
  });

  test("with --plan makes no call with GET either that changes something", async () => {
    const { code, out, calls } = await run(["api", "GET", "/api/auth/logout?x=1", "--plan"], { answer });
    expect([code, out]).toEqual([0, "Would call GET /api/auth/logout?x=1: Sign out\n"]);
    expect(calls.map(urlOf)).not.toContain("/api/auth/logout?x=1");
    for (const path of ["/api/auth/verify-email/abc", "/api/auth/google/callback?code=1&state=2"]) {
      const unknown = await run(["api", "GET", path, "--plan"], { answer });
      expect([unknown.code, unknown.calls.map(urlOf).includes(path)]).toEqual([1, false]);
      expect(unknown.err).toContain("there is no call GET");
    }
  });

  test("where no server runs starts the plugin that is called, and nothing for the application's own calls", async () => {
    expect((await run(["api", "GET", "/api/firewall/rates"], { answer })).started).toEqual(["firewall"]);
    expect((await run(["api", "GET", "/api/admin/users"], { answer })).started).toEqual([]);
  });

  test("ends with the code of what was refused", async () => {
    const refused = await run(["api", "DELETE", "/api/firewall/rates/1", "--json"], {
      answer: () => refusal(403, "FORBIDDEN", "Not for you"),
    });
    expect([refused.code, refused.out, JSON.parse(refused.err).code]).toEqual([3, "", "FORBIDDEN"]);
  });

  test("says that an unknown path doesn't exist, and which plugin is missing", async () => {
    const answer = ({ url }: Request) =>
      url.endsWith("/api/plugins") ? ok([firewall]) : refusal(404, "NOT_FOUND", "There is nothing here");
    const { code, out, err } = await run(["api", "GET", "/api/nope?all=1"], { answer });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toStartWith("error: /api/nope not found: Atrium has no such endpoint (see: atrium openapi)");
    expect(err).toContain("the plugin nope is not installed");
  });

  test("says what helps where a plugin is off, and what a change without a body lacks", async () => {
    const off = ({ url }: Request) =>
      url.endsWith("/api/plugins")
        ? ok([{ ...firewall, enabled: false, state: "disabled" }])
        : refusal(404, "NOT_FOUND", "Not found");
    const { code, err } = await run(["api", "GET", "/api/firewall/rates"], { answer: off });
    expect(code).toBe(1);
    expect(err).toContain(
      "the plugin firewall is not enabled; enable it with: atrium plugin enable firewall",
    );
    const bare = () => refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Please send application/json");
    const post = ["api", "POST", "/api/admin/users"];
    expect((await run(post, { answer: bare })).err).toContain(
      "Please send application/json; add --body FILE\n  requestId req-1",
    );
    const sent = await run([...post, "--body", "-"], { answer: bare, input: "{}" });
    expect(sent.err).not.toContain("--body");
  });

  test("ends with Ctrl-C while the rest of its JSON does not come", async () => {
    for (const status of [200, 500]) {
      const end = new AbortController();
      const stalling = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
        pull: () => {
          end.abort(new CliFailure("CANCELLED", "canceled"));
          return new Promise<never>(() => {});
        },
      });
      const { code, out, err } = await run(["api", "GET", "/api/admin/users"], {
        answer: () => new Response(stalling, { status, headers: { "content-type": "application/json" } }),
        interrupt: end.signal,
      });
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("canceled");
    }
  });

  test("holds no more than 100 MB of JSON", async () => {
    const spaces = new Uint8Array(25_000_000).fill(0x20);
    let chunks = 6;
    let isEnded = false;
    const long = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        chunks -= 1;
        if (chunks < 0) controller.close();
        else controller.enqueue(spaces);
      },
      cancel: () => {
        isEnded = true;
      },
    });
    const { code, err } = await run(["api", "GET", "/api/admin/users"], {
      answer: () => new Response(long, { headers: { "content-type": "application/json" } }),
    });
    expect([code, isEnded]).toEqual([3, true]);
    expect(err).toContain("more than 100 MB");
  });

  test("prints JSON that is exact and steers no terminal", async () => {
    const data = {
      name: "a\u200cb \u{1F468}\u200d\u{1F469}",
      evil: "\u001b[2J\u009b\u202e\u2028\u{E0001}\n",
    };
    const { out } = await run(["api", "GET", "/api/admin/users"], { answer: () => ok(data) });
    expect(JSON.parse(out).data).toEqual(data);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(out).toContain("\u{1F468}\\u200d");
  });

  test("never lets the id of a failed request steer the terminal", async () => {
    for (const requestId of ["\u001b[2Jid", "id\u202e", "two words", "", "x".repeat(101), 7]) {
      const answering = () => Response.json({ success: false, message: "No", requestId }, { status: 500 });
      const { err } = await run(["api", "GET", "/api/firewall/rates"], { answer: answering });
      expect(err).toBe("error: No\n");
    }
  });

  test("prints an answer that is no JSON as it comes, and a file on no terminal", async () => {
    const answering = (type: string, bytes: string) => ({
      answer: () => new Response(bytes, { headers: { "content-type": type } }),
    });
    const csv = await run(["api", "GET", "/api/admin/activity/export"], answering("text/csv", "id,action\n"));
    expect([csv.code, csv.out]).toEqual([0, "id,action\n"]);
    const zip = answering("application/zip", "PK\u0003\u0004");
    expect((await run(["api", "GET", "/api/plugins/x/download"], zip)).out).toBe("PK\u0003\u0004");
    const shown = await run(["api", "GET", "/api/plugins/x/download"], { ...zip, isTerminal: true });
    expect([shown.code, shown.out]).toEqual([2, ""]);
    expect(shown.err).toContain("redirect standard output");
  });
});
