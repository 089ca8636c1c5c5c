import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestHost, type TestHost } from "#api/testing/host.ts";
import { tokenTexts } from "#contract/api-tokens.ts";

let host: TestHost;
beforeAll(async () => {
  host = await createTestHost();
});
afterAll(() => host.close());

const withHeader = (authorization: string) => host.request("/api/plugins", { headers: { authorization } });

describe("a call to what everybody may read", () => {
  test.each(["Bearer", "Bearer ", "bearer  "])("with an empty token, %p, is refused", async (header) => {
    const answer = await withHeader(header);
    expect(await answer.json()).toMatchObject({ code: "NOT_SIGNED_IN", message: tokenTexts.malformed });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  });

  test.each(["Bearer of-a-proxy", "Basic c2l0ZTpzaXRl"])(
    "with %p, which is none of ours, is answered",
    async (header) => {
      expect((await withHeader(header)).status).toBe(200);
    },
  );
});
