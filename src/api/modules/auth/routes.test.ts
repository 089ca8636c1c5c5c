import { describe, expect, test } from "bun:test";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { TestClient } from "#api/testing/host.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { authTexts } from "#contract/auth-texts.ts";

const host = await hostForFile();
const everybody: [string, TestClient][] = [
  ["visitor", host.visitor()],
  ["user", await host.signedIn("user")],
  ["admin", await host.signedIn("admin")],
];

const post = (path: string, body: unknown, client = host.visitor()) =>
  client.call("POST", `/api/auth/${path}`, body);

/** Makes the call as a visitor, a user and an admin: each gets this failure, no cookie, and nothing changes. */
const expectRefusal = async (path: string, body: unknown, expected: object) => {
  const before = [await contentsOf(host.db), host.mails.length, host.services.hasher.computed];
  for (const [who, client] of everybody) {
    const answer = await post(path, body, client);
    expect({ who, ...(await answer.json()) }).toMatchObject({ who, success: false, ...expected });
    expect(answer.headers.get("set-cookie")).toBeNull();
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
