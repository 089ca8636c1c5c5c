import { describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile();

const operator = { requestId: "test", ip: "local", userAgent: null, actor: { kind: "operator" as const } };
const password = "another-fine-password";

const post = (path: string, body: unknown, headers: Record<string, string> = {}, client = host.visitor()) =>
  client.call("POST", `/api/auth/${path}`, body, headers);

// Everyone calls from a place of their own: a place gets thirty emails in a while.
let places = 0;
const newPlace = () => {
  places += 1;
  return { "x-forwarded-for": `198.51.100.${places}` };
};

/** Someone with an account. */
const owner = async () => {
  const person = newPerson();
  await addUser({ ...host.services, ...operator }, person);
  return person;
};

/** Someone with an account and a link to a new password. */
const forgetful = async () => {
  const person = await owner();
  await post("forgot-password", { email: person.email }, newPlace());
  return { ...person, token: tokenIn(host.mails.at(-1)) };
};

const cookiesIn = (answer: Response): Record<string, string> =>
  Object.fromEntries(
    answer.headers.getSetCookie().map((cookie) => {
      const [name = "", value = ""] = cookie.split(";")[0]?.split("=") ?? [];
      return [name, value];
    }),
  );

const asText = ({ sid = "", device = "" }: Record<string, string>): string => `sid=${sid}; device=${device}`;

test("a person asks for a new password, chooses it, and signs in with it", async () => {
  const person = await owner();
  const asked = await post("forgot-password", { email: person.email }, newPlace());
  expect(asked.status).toBe(200);
  expect(await asked.json()).toEqual({ success: true, message: authTexts.resetMailSent });
  const reset = await post(`reset-password/${tokenIn(host.mails.at(-1))}`, { password });
  expect(reset.status).toBe(200);
  expect(await reset.json()).toEqual({
    success: true,
    message: "Password reset successful! Redirecting to login...",
    data: { email: person.email, removed: [] },
  });
  expect([cookiesIn(asked), Object.keys(cookiesIn(reset))]).toEqual([{}, ["device"]]);
  expect((await post("login", { email: person.email, password: person.password })).status).toBe(401);
  expect((await post("login", { email: person.email, password })).status).toBe(200);
});

test("A2: the cookie of before a reset is worth nothing on the very next request", async () => {
  const { email, password: old, token } = await forgetful();
  const cookie = asText(cookiesIn(await post("login", { email, password: old })));
  const who = () => host.request("/api/auth/user", { headers: { cookie, "sec-fetch-site": "same-origin" } });
  expect((await who()).status).toBe(200);
  expect((await post(`reset-password/${token}`, { password })).status).toBe(200);
  expect((await who()).status).toBe(401);
});

describe("T2: a link that is used, or was never one, is refused to everyone and changes nothing:", () => {
  test.each(["used", "none", "A".repeat(43), "a".repeat(2_000)])("%s", async (kind) => {
    const { token } = await forgetful();
    if (kind === "used") await post(`reset-password/${token}`, { password });
    const people: TestClient[] = [host.visitor(), await host.signedIn("user"), await host.signedIn("admin")];
    const before = [await contentsOf(host.db), host.mails.length, host.services.hasher.computed];
    for (const client of people) {
      const path = `reset-password/${kind === "used" ? token : kind}`;
      const answer = await post(path, { password }, {}, client);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        code: "TOKEN_INVALID",
        message: "Invalid or expired reset link",
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect([await contentsOf(host.db), host.mails.length, host.services.hasher.computed]).toEqual(before);
  });
});

test("a reset link says whether it still works, without being used up", async () => {
  const { token } = await forgetful();
  const check = (asked: string) => host.visitor().call("GET", `/api/auth/reset-password/${asked}`);
  const before = await contentsOf(host.db);
  for (let n = 0; n < 2; n += 1) {
    const answer = await check(token);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true, data: {} });
  }
  expect(await contentsOf(host.db)).toEqual(before);
  expect((await post(`reset-password/${token}`, { password })).status).toBe(200);
  for (const dead of [token, "none", "a".repeat(2_000)]) {
    const answer = await check(dead);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: "TOKEN_INVALID", message: "Invalid or expired reset link" },
    ]);
  }
});

test("W3: a password or address that will not do is refused with its own words, changes nothing and leaves the link good", async () => {
  const { token, email } = await forgetful();
  const before = [await contentsOf(host.db), host.mails.length, host.services.hasher.computed];
  const reset = `reset-password/${token}`;
  const bad: [string, unknown, string][] = [
    [reset, { password: "short" }, authTexts.passwordTooShort],
    [reset, { password: "p".repeat(129) }, authTexts.passwordTooLong],
    [reset, { password: "password1" }, authTexts.passwordCommon],
    [reset, { password: "atrium2026" }, authTexts.passwordPersonal],
    [reset, { password: email }, authTexts.passwordPersonal],
    [reset, {}, ""],
    [reset, { password, email }, ""],
    [reset, { password, token }, ""],
    [reset, { password, role: "admin" }, ""],
    ["forgot-password", {}, ""],
    ["forgot-password", { email: "ada" }, authTexts.emailInvalid],
    ["forgot-password", { email: `${email},eve@x.example` }, authTexts.emailInvalid],
    ["forgot-password", { email: `${email}\r\nBcc: eve@x.example` }, authTexts.emailInvalid],
    ["forgot-password", { email, userId: "1" }, ""],
  ];
  for (const [path, body, words] of bad) {
    const answer = await post(path, body, newPlace());
    expect([path, body, answer.status]).toEqual([path, body, 422]);
    const { code, errors } = await answer.json();
    expect(code).toBe("VALIDATION_FAILED");
    if (words !== "") expect(errors).toMatchObject([{ message: words }]);
  }
  expect([await contentsOf(host.db), host.mails.length, host.services.hasher.computed]).toEqual(before);
  expect((await post(reset, { password })).status).toBe(200);
});

test("E1: forgot-password answers an account, a waiting registration and a stranger byte for byte alike", async () => {
  const known = await owner();
  const waiting = newPerson();
  await post("register", waiting);
  const shapes = [];
  for (const { email } of [known, waiting, newPerson()]) {
    const answer = await post("forgot-password", { email }, newPlace());
    const headers = { ...Object.fromEntries(answer.headers), "x-request-id": "" };
    shapes.push({ status: answer.status, body: await answer.text(), headers });
  }
  expect(shapes[0]).toMatchObject({ status: 200 });
  expect(shapes[1]).toEqual(shapes[0]);
  expect(shapes[2]).toEqual(shapes[0]);
});

test("E1: a place that asks too often gets the very same answer, whatever the address, and no one is emailed", async () => {
  const { email } = await owner();
  const place = newPlace();
  const ask = async (path: string, asked: string, from = place) => {
    const answer = await post(path, { email: asked }, from);
    const headers = { ...Object.fromEntries(answer.headers), "x-request-id": "" };
    return { status: answer.status, body: await answer.text(), headers };
  };
  const usual = await ask("forgot-password", newPerson().email, newPlace());
  expect(usual.status).toBe(200);
  const unknown = Array.from({ length: limits.mailRequestsByIp }, () => newPerson().email);
  await Promise.all(unknown.map((asked) => ask("resend-verification", asked)));
  const before = await contentsOf(host.db);
  for (const asked of [email, newPerson().email]) expect(await ask("forgot-password", asked)).toEqual(usual);
  expect(await contentsOf(host.db)).toEqual(before);
  await ask("forgot-password", email, newPlace());
  expect(await contentsOf(host.db)).not.toEqual(before);
});

test("T4: the log knows a reset by its template, not by its token", async () => {
  const { token } = await forgetful();
  host.logs.length = 0;
  await post(`reset-password/${token}`, { password });
  await post(`reset-password/${token}`, { password });
  await host.visitor().call("GET", `/api/auth/reset-password/${token}`);
  await host.visitor().call("POST", `/api/auth/reset-password/${token}/more`, { password });
  const said = JSON.stringify(host.logs);
  expect(said).toContain("/api/auth/reset-password/:token");
  expect(said).not.toContain(token);
});

describe("W2: the mark of a known browser", () => {
  test("comes with the first sign-in, stays through a sign-out, and is not renewed by the next", async () => {
    const person = await owner();
    const credentials = { email: person.email, password: person.password };
    const first = cookiesIn(await post("login", credentials));
    expect(Object.keys(first)).toEqual(["sid", "device"]);
    const out = await post("logout", undefined, { cookie: asText(first) });
    expect(Object.keys(cookiesIn(out))).toEqual(["sid"]);
    const again = cookiesIn(await post("login", credentials, { cookie: `device=${first.device}` }));
    expect(Object.keys(again)).toEqual(["sid"]);
  });

  test("opens an address that strangers have closed", async () => {
    const person = await owner();
    const credentials = { email: person.email, password: person.password };
    const { device } = cookiesIn(await post("login", credentials));
    for (let n = 0; n < limits.signInFailuresByAddress; n += 1)
      await post("login", { ...credentials, password: "wrong" }, newPlace());
    expect((await post("login", credentials, newPlace())).status).toBe(429);
    expect((await post("login", credentials, { cookie: `device=${device}` })).status).toBe(200);
  });

  test("is forgotten by a reset", async () => {
    const person = await forgetful();
    const { device } = cookiesIn(await post("login", { email: person.email, password: person.password }));
    await post(`reset-password/${person.token}`, { password });
    const cookie = `device=${device}`;
    const again = cookiesIn(await post("login", { email: person.email, password }, { cookie }));
    expect(Object.keys(again)).toEqual(["sid", "device"]);
    expect(again.device).not.toBe(device);
  });
});
