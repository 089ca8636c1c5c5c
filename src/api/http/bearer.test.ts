import { describe, expect, test } from "bun:test";
import { hostForFile } from "#api/testing/for-file.ts";
import { tokenTexts } from "#contract/api-tokens.ts";

const host = await hostForFile();

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
