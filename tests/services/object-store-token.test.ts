import { describe, expect, test } from "bun:test";
import { createBucketTest } from "#api/adapters/object-store/create-bucket-test.ts";
import { secrets, stubOf, targetAt, testAt } from "./bucket-stage.ts";
import { foreignWords, plainStorage, type Script } from "./s3-stub.ts";

describe("the API token", () => {
  const cloudflare = async (script: Script) => {
    const api = stubOf(script);
    const stub = stubOf(plainStorage());
    const report = await testAt(stub.origin, { apiUrl: api.origin, isCloudflare: () => true });
    return { api, report, step: report.steps.at(-1) };
  };

  test("is asked about at Cloudflare, and a valid one passes", async () => {
    const { api, report, step } = await cloudflare(() =>
      Response.json({ success: true, result: { status: "active" } }),
    );
    expect(step).toMatchObject({ name: "API token", status: "passed" });
    expect(report.isWorking).toBe(true);
    expect(api.seen[0]?.path).toBe("/user/tokens/verify");
    expect(api.seen[0]?.headers.get("authorization")).toBe(`Bearer ${secrets[2]}`);
  });

  test.each<[string, Script]>([
    ["expired", () => Response.json({ success: true, result: { status: "expired" } })],
    [
      "invalid",
      () => Response.json({ success: false, errors: [{ message: foreignWords }] }, { status: 401 }),
    ],
    ["answered with a page", () => new Response(foreignWords)],
    ["not answered", () => null],
    ["answered with 10 MB", () => new Response(foreignWords.repeat(400_000))],
    ["redirected", () => Response.redirect("http://169.254.169.254/", 302)],
  ])("that is %s is a warning, because objects work without it", async (_, script) => {
    const { report, step } = await cloudflare(script);
    expect(step).toMatchObject({ status: "warning" });
    expect(report.isWorking).toBe(true);
    expect(report.details).not.toBe("");
  });

  test("S2: goes nowhere for storage that is not Cloudflare's, and is no step without one", async () => {
    const api = stubOf(() => null);
    const stub = stubOf(plainStorage());
    expect((await testAt(stub.origin, { apiUrl: api.origin })).steps.at(-1)).toMatchObject({
      status: "skipped",
    });
    const report = await createBucketTest({
      otherOrigins: [stub.origin],
      apiUrl: api.origin,
      isCloudflare: () => true,
    })({ ...targetAt(stub.origin), token: null });
    expect(report.steps.at(-1)).toMatchObject({ status: "skipped" });
    expect(api.seen).toEqual([]);
  });
});
