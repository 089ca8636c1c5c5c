import { describe, expect, test } from "bun:test";
import { operations } from "#api/operations.ts";
import { declared } from "#cli/testing/command-lines.ts";
import type { CommandWorld } from "#cli/testing/command-world.ts";
import { run } from "#cli/testing/run.ts";
import { hasPlan } from "#contract/operation.ts";
import { dryRunName, planPath } from "#contract/plan.ts";
import released from "../../../tests/fixtures/endpoints-1.0.0.json";

/** The endpoints of version 1.0.0, as it published them: it carries out whatever it knows, and ignores unknown parameters. */
const endpoints = released.map((endpoint) => {
  const [method = "", path = ""] = endpoint.split(" ");
  return { method, path: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) };
});

const failed = (status: number, code: string): Response =>
  Response.json({ success: false, code, message: "No", requestId: "1" }, { status });

const createOldServer = () => {
  const made: string[] = [];
  const answer = ({ method, url }: Request): Response => {
    const { pathname } = new URL(url);
    const known = endpoints.filter(({ path }) => path.test(pathname));
    if (known.length === 0) return failed(404, "NOT_FOUND");
    if (known.every((endpoint) => endpoint.method !== method)) return failed(405, "METHOD_NOT_ALLOWED");
    if (method !== "GET") made.push(`${method} ${pathname}`);
    return Response.json({ success: true, message: "Done", data: {} });
  };
  return { made, answer };
};

/** Ids alone, which the old server is never asked about. */
const world = new Proxy({}, { get: () => Bun.randomUUIDv7() }) as CommandWorld;

describe("on a server of version 1.0.0", () => {
  for (const { words, typed } of declared.filter((command) => command.changes))
    test(`${words} --plan changes nothing, and says that the server is too old for a plan`, async () => {
      const { made, answer } = createOldServer();
      const { code, out, err, calls } = await run([...words.split(" "), ...typed(world), "--plan"], {
        answer,
      });
      expect(made).toEqual([]);
      // Some look up first what their words mean, of which this server knows nothing.
      if (!calls.some(({ url }) => new URL(url).pathname.startsWith(planPath("")))) return;
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("too old for --plan");
    });

  test("the plan of a command that looks nothing up is refused", async () => {
    const { answer } = createOldServer();
    const { code, err } = await run(["mail", "retry", "--dead", "--plan"], { answer });
    expect([code, err]).toEqual([1, expect.stringContaining("too old for --plan")]);
  });

  test("no operation's plan has a path that it knows, while it carries out what asks for a dry run by query", () => {
    const { made, answer } = createOldServer();
    const planned = operations.filter(({ operation }) => hasPlan(operation));
    for (const { id } of planned) {
      const request = new Request(`http://localhost${planPath(id)}`, { method: "POST" });
      expect([id, answer(request).status]).toEqual([id, 404]);
    }
    expect(made).toEqual([]);
    answer(new Request(`http://localhost/api/admin/mails/retry?${dryRunName}=true`, { method: "POST" }));
    expect(made).toEqual(["POST /api/admin/mails/retry"]);
  });
});
