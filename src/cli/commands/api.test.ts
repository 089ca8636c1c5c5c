import { describe, expect, test } from "bun:test";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { ok } from "#cli/testing/plugins.ts";
import { refusal, run } from "#cli/testing/run.ts";

const document = {
  openapi: "3.1.0",
  paths: {
    "/api/firewall/rates": { get: { summary: "List rate rules" }, post: { summary: "Add a rate rule" } },
    "/api/firewall/rates/{id}": { put: { summary: "Change a rate rule" } },
    "/api/firewall/rates/all": { put: { summary: "Change every rate rule" } },
  },
};
const rates = [{ id: 1, name: "nightly" }];
const answer = ({ url }: Request) => {
  const { pathname } = new URL(url);
  if (pathname === "/swagger/json") return Response.json(document);
  return pathname === "/api/plugins" ? ok([]) : ok(rates);
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
    [["GET", "/api/plugins", "--body", "-"], "GET sends no body"],
    [["POST", "/api/plugins", "--body", "-"], "the body is no JSON"],
    [["POST", "/api/plugins", "--body", "/nonexistent"], "cannot read /nonexistent"],
    [
      ["POST", "/api/plugins", "--body", "-", "--url", "https://a.example", "--token-file", "-"],
      "standard input holds the token or the body, not both",
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
