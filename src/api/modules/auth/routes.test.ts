import { describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile();
const everybody: [string, TestClient][] = [
  ["visitor", host.visitor()],
  ["user", await host.signedIn("user")],
  ["admin", await host.signedIn("admin")],
];

const post = (path: string, body: unknown, headers: Record<string, string> = {}, client = host.visitor()) =>
  client.call("POST", `/api/auth/${path}`, body, headers);

/** Makes the call as a visitor, a user and an admin: each gets this failure, no cookie, and nothing changes. */
const expectRefusal = async (path: string, body: unknown, expected: object) => {
  const before = [await contentsOf(host.db), host.mails.length, host.services.hasher.computed];
  for (const [who, client] of everybody) {
    const answer = await post(path, body, {}, client);
    const { status } = answer;
    expect({ who, status, ...(await answer.json()) }).toMatchObject({ who, success: false, ...expected });
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  expect([await contentsOf(host.db), host.mails.length, host.services.hasher.computed]).toEqual(before);
};

const cookieIn = (answer: Response): string => answer.headers.get("set-cookie")?.split(";")[0] ?? "";
const withCookie = (cookie: string) => ({ headers: { cookie, "sec-fetch-site": "same-origin" } });

test("a person registers, verifies, signs in, is known, and signs out", async () => {
  const person = newPerson();
  const { email, password } = person;
  const registered = await post("register", person);
  expect(registered.status).toBe(201);
  expect(await registered.json()).toEqual({ success: true, message: authTexts.registered });
  const pending = registered.headers.get("set-cookie") ?? "";
  expect(pending).toMatch(/^pending=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/);

  const early = await post("login", { email, password });
  expect(early.status).toBe(403);
  expect(await early.json()).toMatchObject({
    code: "EMAIL_NOT_VERIFIED",
    message: "Please verify your email before logging in",
    needsVerification: true,
  });

  const link = `/api/auth/verify-email/${tokenIn(host.mails.at(-1))}`;
  const verified = await host.request(link, withCookie(cookieIn(registered)));
  expect(verified.status).toBe(200);
  expect(verified.headers.get("set-cookie")).toStartWith("pending=; Path=/; Max-Age=0;");

  const signedIn = await post("login", { email, password });
  expect(signedIn.status).toBe(200);
  const answer = await signedIn.json();
  expect(answer).toMatchObject({ success: true, message: "Signed in", user: { email, role: "user" } });
  const cookie = cookieIn(signedIn);
  expect(JSON.stringify(answer)).not.toContain(cookie.split("=")[1] ?? "");

  const known = await host.request("/api/auth/user", withCookie(cookie));
  expect(await known.json()).toEqual(answer.user);

  const out = await host.request("/api/auth/logout", withCookie(cookie));
  expect(await out.json()).toEqual({ success: true, message: "Signed out" });
  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  expect((await host.request("/api/auth/user", withCookie(cookie))).status).toBe(401);
});

describe("A1: a sign-in in a browser that is signed in", () => {
  test("sets another cookie, and the older one is dead on the next request", async () => {
    const person = newPerson();
    await addUser({ ...host.services, ...someCall }, person);
    const first = cookieIn(await post("login", credentials(person)));
    const again = await host.request("/api/auth/login", {
      method: "POST",
      headers: {
        ...withCookie(first).headers,
        origin: host.services.appUrl,
        "content-type": "application/json",
      },
      body: JSON.stringify(credentials(person)),
    });
    const second = cookieIn(again);
    expect(second).not.toBe(first);
    expect((await host.request("/api/auth/user", withCookie(first))).status).toBe(401);
    expect((await host.request("/api/auth/user", withCookie(second))).status).toBe(200);
  });
});

const someCall = {
  requestId: "test",
  ip: "127.0.0.1",
  userAgent: null,
  actor: { kind: "operator" as const },
};
const credentials = ({ email, password }: { email: string; password: string }) => ({ email, password });

const person = { name: "Ada Example", email: "ada@refused.example", password: "correct-horse-battery" };
const setup = { ...person, token: "A".repeat(43) };
const bodies = {
  register: person,
  login: credentials(person),
  "resend-verification": { email: person.email },
  setup,
};
const at = (path: string, message: string) => ({ code: "VALIDATION_FAILED", errors: [{ path, message }] });

test("W1: an overlong or empty password at sign-in, without hashing and immediately", async () => {
  const body = { ...bodies.login, password: "p".repeat(129) };
  await expectRefusal("login", body, at("password", authTexts.passwordTooLong));
  await expectRefusal("login", { ...body, password: "" }, at("password", authTexts.passwordRequired));
  // The size is read either way; what is refused otherwise has the same.
  const fastest = async (sent: object) => {
    const times: number[] = [];
    for (let sample = 0; sample < 9; sample++) {
      const begun = Bun.nanoseconds();
      await post("login", sent);
      times.push((Bun.nanoseconds() - begun) / 1e6);
    }
    return Math.min(...times);
  };
  const long = "p".repeat(900_000);
  const refused = await fastest({ ...body, email: `${long}@example.com`, password: "short" });
  expect(await fastest({ ...body, password: long })).toBeLessThan(2 * refused + 5);
});

describe("E1: byte for byte the same answer, cookies and headers included,", () => {
  const shapeOf = async (answer: Response) => {
    const { requestId, ...body } = await answer.json();
    const headers = Object.fromEntries(answer.headers);
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.replace(/=[\w-]{43};/, "=…;"));
    return {
      status: answer.status,
      body,
      headers: { ...headers, "x-request-id": typeof requestId, "set-cookie": cookies },
    };
  };
  const people = async () => {
    const verified = newPerson();
    const waiting = newPerson();
    await addUser({ ...host.services, ...someCall }, verified);
    await post("register", waiting);
    return { verified, waiting, unknown: newPerson() };
  };

  test("for the sign-in of an unknown, a waiting and a verified address with a wrong password", async () => {
    const { verified, waiting, unknown } = await people();
    const shapes = [];
    for (const { email } of [verified, waiting, unknown]) {
      shapes.push(await shapeOf(await post("login", { email, password: "not-the-password" })));
    }
    expect(shapes[0]).toMatchObject({ status: 401, body: { message: "Invalid email or password" } });
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
  });

  test.each(["register", "resend-verification"] as const)("for %s of each of them", async (path) => {
    const { verified, waiting, unknown } = await people();
    const shapes = [];
    for (const { email } of [verified, waiting, unknown]) {
      shapes.push(await shapeOf(await post(path, { ...bodies[path], email })));
    }
    expect(shapes[0]?.body).toMatchObject({ success: true });
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
  });
});

describe("Z7: the setup call", () => {
  test("is refused for everyone once there is a user, and changes nothing", async () => {
    await expectRefusal("setup", setup, { code: "TOKEN_INVALID", message: authTexts.setupInvalid });
  });
});

test("signing out as a visitor succeeds and removes whatever cookie there was", async () => {
  for (const method of ["GET", "POST"]) {
    const answer = await host.visitor().call(method, "/api/auth/logout");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
  }
});

test("signing out has no dry run: asking for one is refused, and signs no one out", async () => {
  const client = await host.signedIn("user");
  for (const method of ["GET", "POST"]) {
    const answer = await client.call(method, "/api/auth/logout?dryRun=true");
    expect([answer.status, (await answer.json()).code]).toEqual([422, "VALIDATION_FAILED"]);
  }
  expect((await client.call("GET", "/api/auth/user")).status).toBe(200);
});

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
    for (const [who, client] of everybody) {
      const again = await client.call("GET", path);
      expect({ who, status: again.status, ...(await again.json()) }).toMatchObject({
        ...{ who, status: 400, code: "TOKEN_INVALID" },
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

const password = "another-fine-password";

// Everyone calls from a place of their own: a place gets thirty emails in a while.
let places = 0;
const newPlace = () => {
  places += 1;
  return { "x-forwarded-for": `198.51.100.${places}` };
};

/** Someone with an account. */
const owner = async () => {
  const person = newPerson();
  await addUser({ ...host.services, ...someCall }, person);
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

describe("T2: a reset link that is used, or was never one, is refused to everyone, without a cookie:", () => {
  test.each(["used", "none", "A".repeat(43), "a".repeat(2_000)])("%s", async (kind) => {
    const { token } = await forgetful();
    if (kind === "used") await post(`reset-password/${token}`, { password });
    const refusal = { status: 400, code: "TOKEN_INVALID", message: "Invalid or expired reset link" };
    await expectRefusal(`reset-password/${kind === "used" ? token : kind}`, { password }, refusal);
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

test("E1: a network that asks too often gets the very same response, whatever the address, and no one is emailed", async () => {
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
});
