import { describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { newPerson, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";

const host = await hostForFile();
const everybody: [string, TestClient][] = [
  ["visitor", host.visitor()],
  ["user", await host.signedIn("user")],
  ["admin", await host.signedIn("admin")],
];

const post = (path: string, body: unknown) => host.visitor().call("POST", `/api/auth/${path}`, body);
const cookieIn = (answer: Response): string => answer.headers.get("set-cookie")?.split(";")[0] ?? "";
const withCookie = (cookie: string) => ({ headers: { cookie, "sec-fetch-site": "same-origin" } });

describe("T5, C2: a verification link", () => {
  const mailed = async () => {
    const cookie = cookieIn(await post("register", newPerson()));
    return { path: `/api/auth/verify-email/${tokenIn(host.mails.at(-1))}`, cookie };
  };

  test("survives being checked, and images and prefetches of other sites", async () => {
    const { path, cookie } = await mailed();
    const before = await contentsOf(host.db);
    expect((await host.visitor().call("HEAD", path)).status).toBe(405);
    for (const site of ["cross-site", "same-site"]) {
      const headers = {
        "sec-fetch-site": site,
        "sec-fetch-dest": "image",
        "sec-fetch-mode": "no-cors",
        cookie,
      };
      expect((await host.request(path, { headers })).status).toBe(403);
    }
    expect(await contentsOf(host.db)).toEqual(before);
    expect((await host.request(path, withCookie(cookie))).status).toBe(200);
  });

  test("survives a scanner that runs scripts, and a program without the cookie", async () => {
    const { path, cookie } = await mailed();
    const before = await contentsOf(host.db);
    for (const answer of [
      await host.visitor().call("GET", path),
      await host.visitor().call("POST", path, {}),
    ]) {
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ code: "PASSWORD_WANTED" });
    }
    expect(await contentsOf(host.db)).toEqual(before);
    const finished = await host.visitor().call("POST", path, {}, { cookie });
    expect(finished.status).toBe(200);
  });

  test("works once: the second use is refused and changes nothing", async () => {
    const { path, cookie } = await mailed();
    expect((await host.request(path, withCookie(cookie))).status).toBe(200);
    const before = await contentsOf(host.db);
    for (const [, client] of everybody) {
      const again = await client.call("GET", path);
      expect(again.status).toBe(400);
      expect(await again.json()).toMatchObject({
        code: "TOKEN_INVALID",
        message: "Invalid or expired verification token",
      });
    }
    expect(await contentsOf(host.db)).toEqual(before);
  });
});

describe("a setup link", () => {
  test("says whether it still works, to everyone, without being used up", async () => {
    for (const [, client] of everybody) {
      const answer = await client.call("GET", `/api/auth/setup/${"A".repeat(43)}`);
      expect([answer.status, (await answer.json()).message]).toEqual([400, authTexts.setupInvalid]);
    }
  });
});
