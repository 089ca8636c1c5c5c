import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { User } from "#contract/users.ts";
import { api } from "./api.ts";
import { reportReachable } from "./connection.ts";
import { currentSession, logout, refreshSession, resetSession, setUser } from "./session.ts";

const ada: User = {
  id: "1",
  name: "Ada",
  email: "ada@example.org",
  role: "user",
  googleId: null,
  githubId: null,
  emailVerified: true,
  createdAt: "2026-01-01T00:00:00.000Z",
};

const answers: (Response | Error)[] = [];
const fetched = spyOn(globalThis, "fetch");

beforeEach(() => {
  answers.length = 0;
  const reply = async () => {
    const answer = answers.shift() ?? new Error("no answer was planned");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  fetched.mockImplementation(Object.assign(reply, { preconnect: () => {} }));
  fetched.mockClear();
  resetSession({ user: null, status: "loading" });
});

afterEach(reportReachable);
afterAll(() => fetched.mockRestore());

const refusal = () => Response.json({ success: false, code: "NOT_SIGNED_IN", message: "m" }, { status: 401 });
const hiccup = () => Response.json({ success: false, code: "DB_UNAVAILABLE", message: "m" }, { status: 503 });

describe("who is signed in", () => {
  test("is the user whom the server names", async () => {
    answers.push(Response.json(ada));
    await refreshSession();
    expect(currentSession()).toEqual({ user: ada, status: "ready" });
  });

  test("is nobody when the server refuses", async () => {
    resetSession({ user: ada, status: "ready" });
    answers.push(refusal());
    await refreshSession();
    expect(currentSession()).toEqual({ user: null, status: "ready" });
  });

  test("is asked once however many want to know", async () => {
    answers.push(Response.json(ada));
    await Promise.all([refreshSession(), refreshSession(), refreshSession()]);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test("stays loading through a server's hiccup at the start", async () => {
    answers.push(hiccup(), Response.json(ada));
    const checked = refreshSession([0]);
    await Promise.resolve();
    expect(currentSession().status).toBe("loading");
    await checked;
    expect(currentSession()).toEqual({ user: ada, status: "ready" });
  });

  test("is nobody at the start when the server has no answer at all", async () => {
    answers.push(hiccup(), hiccup(), hiccup());
    await refreshSession([0, 0]);
    expect(currentSession()).toEqual({ user: null, status: "ready" });
  });

  test("is still the same user when a later check gets no answer", async () => {
    resetSession({ user: ada, status: "ready" });
    answers.push(new TypeError("failed to fetch"));
    await refreshSession();
    expect(currentSession().user).toEqual(ada);
  });

  test("is nobody as soon as any call is answered 401", async () => {
    setUser(ada);
    answers.push(refusal());
    await api.get("/api/admin").catch(() => undefined);
    expect(currentSession().user).toBeNull();
  });
});

describe("signing out", () => {
  test("leaves the page before the user is forgotten", async () => {
    setUser(ada);
    answers.push(Response.json({ success: true }));
    let userAtLeaving: User | null = null;
    await logout(() => {
      userAtLeaving = currentSession().user;
    });
    expect(userAtLeaving).toEqual(ada as never);
    expect(currentSession().user).toBeNull();
  });

  test("keeps the user when the server does not agree", async () => {
    setUser(ada);
    answers.push(hiccup());
    let hasLeft = false;
    const attempt = logout(() => {
      hasLeft = true;
    });
    await expect(attempt).rejects.toMatchObject({ status: 503 });
    expect(currentSession().user).toEqual(ada);
    expect(hasLeft).toBe(false);
  });
});
