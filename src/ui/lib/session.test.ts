import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { User } from "#contract/users.ts";
import { api } from "./api.ts";
import { reportReachable } from "./connection.ts";
import {
  checkSessionAgain,
  currentSession,
  logout,
  refreshSession,
  resetSession,
  setUser,
} from "./session.ts";

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

const answerOf = (status: number, code: string) =>
  Response.json({ success: false, code, message: "m" }, { status });
const refusal = () => answerOf(401, "NOT_SIGNED_IN");
const hiccup = () => answerOf(503, "DB_UNAVAILABLE");

describe("who is signed in", () => {
  test("is the user whom the server names", async () => {
    answers.push(Response.json(ada));
    await refreshSession();
    expect(currentSession()).toEqual({ user: ada, status: "ready" });
  });

  test("is signed out when the server refuses", async () => {
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

  test("is signed out at the start when the server does not respond", async () => {
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

  const tooOften = () => answerOf(429, "RATE_LIMITED");
  const answersThatSayNothing = [
    tooOften,
    () => answerOf(408, "REQUEST_TIMEOUT"),
    () => answerOf(404, "NOT_FOUND"),
    () => answerOf(421, "MISDIRECTED_HOST"),
    hiccup,
  ];

  test("is still the same user when a later check is refused for another reason than who it is", async () => {
    for (const answer of answersThatSayNothing) {
      resetSession({ user: ada, status: "ready" });
      answers.push(answer());
      await refreshSession();
      expect(currentSession()).toEqual({ user: ada, status: "ready" });
    }
  });

  test("is signed out when a later check is forbidden", async () => {
    resetSession({ user: ada, status: "ready" });
    answers.push(answerOf(403, "FORBIDDEN"));
    await refreshSession();
    expect(currentSession()).toEqual({ user: null, status: "ready" });
  });

  test("is signed out at the start after too many requests, and asks no further", async () => {
    answers.push(tooOften());
    await refreshSession([0, 0]);
    expect(currentSession()).toEqual({ user: null, status: "ready" });
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test("is the same object while the server says the same, so that nothing rerenders", async () => {
    resetSession({ user: ada, status: "ready" });
    answers.push(Response.json(ada), Response.json({ ...ada, name: "Ada Lovelace" }));
    await refreshSession();
    expect(currentSession().user).toBe(ada);
    await refreshSession();
    expect(currentSession().user?.name).toBe("Ada Lovelace");
  });

  test("is signed out as soon as any request is answered 401", async () => {
    setUser(ada);
    answers.push(refusal());
    await api.get("/api/admin").catch(() => undefined);
    expect(currentSession().user).toBeNull();
  });
});

describe("coming back to the tab", () => {
  // Whatever was asked before, hours have passed since.
  const laterMs = Date.now() + 86_400_000;

  test("finds out that the session has ended elsewhere", async () => {
    setUser(ada);
    answers.push(refusal());
    checkSessionAgain(laterMs);
    await refreshSession();
    expect(currentSession().user).toBeNull();
  });

  test("asks about a member at most every 15 seconds, and about a visitor each time", async () => {
    setUser(ada);
    for (const afterMs of [60_000, 74_999, 75_000]) {
      answers.push(Response.json(ada));
      checkSessionAgain(laterMs + afterMs);
      await Bun.sleep(0);
    }
    expect(fetched).toHaveBeenCalledTimes(2);
    setUser(null);
    for (const afterMs of [75_001, 75_002]) {
      answers.push(refusal());
      checkSessionAgain(laterMs + afterMs);
      await refreshSession();
    }
    expect(fetched).toHaveBeenCalledTimes(4);
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
