import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { tooManyAttempts } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { ApiError, api, asSentence, failureText, isUnreachable, onSignedOut } from "./api.ts";
import { reportReachable } from "./connection.ts";

type Answer = (path: string, init: RequestInit) => Promise<Response> | Response;

const server = (answer: Answer) => {
  const reply = async (path: unknown, init?: RequestInit) => answer(String(path), init ?? {});
  return spyOn(globalThis, "fetch").mockImplementation(Object.assign(reply, { preconnect: () => {} }));
};

const failureOf = async (call: Promise<unknown>): Promise<ApiError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
};

afterEach(() => {
  server(() => new Response()).mockRestore();
  reportReachable();
});

describe("calls to the API", () => {
  test("send JSON with the session's cookie and resolve to the body", async () => {
    const fetched = server(() => Response.json({ success: true, message: "Saved" }));
    expect(await api.post<{ message: string }>("/api/x", { a: 1 })).toEqual({
      success: true,
      message: "Saved",
    } as never);
    const [path, init] = fetched.mock.calls[0] ?? [];
    expect(path).toBe("/api/x");
    expect(init).toMatchObject({ method: "POST", credentials: "same-origin", body: '{"a":1}' });
    expect(new Headers(init?.headers).get("content-type")).toBe("application/json");
  });

  test("without a body name no content type", async () => {
    const fetched = server(() => Response.json({}));
    await api.post("/api/auth/logout");
    expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).has("content-type")).toBe(false);
  });

  test("that are refused throw the server's words, code and field errors", async () => {
    const errors = [{ path: "email", message: "Please enter a valid email address" }];
    const envelope = {
      success: false,
      code: "VALIDATION_FAILED",
      message: "Please check",
      requestId: "r",
      errors,
    };
    server(() => Response.json(envelope, { status: 422 }));
    const error = await failureOf(api.post("/api/auth/register", {}));
    expect(error).toMatchObject({ status: 422, code: "VALIDATION_FAILED", message: "Please check", errors });
    expect(isUnreachable(error)).toBe(false);
  });

  test("that are refused with a code that is new here keep the server's words", async () => {
    const refuse = (code: unknown) => {
      server(() => Response.json({ success: false, code, message: "The tide is too high" }, { status: 409 }));
      return failureOf(api.get("/api/x"));
    };
    expect(failureText(await refuse("TIDE_2_HIGH"), "It failed")).toBe("The tide is too high");
    for (const code of ["NETWORK", "TIMEOUT", "UNKNOWN", "none", "", 7, null, undefined])
      expect(await refuse(code)).toMatchObject({ status: 409, code: "UNKNOWN" });
  });

  test("tell that an address has to be verified first", async () => {
    const envelope = { success: false, code: "EMAIL_NOT_VERIFIED", message: "m", needsVerification: true };
    server(() => Response.json(envelope, { status: 403 }));
    expect((await failureOf(api.post("/api/auth/login", {}))).needsVerification).toBe(true);
  });

  const tooOften = async (message: string, headers: Record<string, string>) => {
    server(() => Response.json({ success: false, code: "RATE_LIMITED", message }, { status: 429, headers }));
    return (await failureOf(api.post("/api/x", {}))).message;
  };

  test("beyond the limit on all calls say how long to wait, behind the words that were set for it", async () => {
    const refused = (seconds: number) => ({
      ratelimit: `"core";r=0;t=${seconds}`,
      "retry-after": String(seconds),
    });
    expect(await tooOften("Slower, please", refused(240))).toBe(
      "Slower, please. Please try again in 4 minutes.",
    );
    expect(await tooOften(errorTexts.RATE_LIMITED, refused(1))).toBe(
      "Too many requests. Please try again in 1 minute.",
    );
    expect(await tooOften("Please try again later.", refused(1))).toBe("Please try again in 1 minute.");
  });

  test("beyond another limit, which names its own wait, have the server's words alone", async () => {
    const others: Record<string, string>[] = [
      {},
      { "retry-after": "240" },
      { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" },
      { "retry-after": "240", ratelimit: '"core";r=7;t=600' },
      // The last call that the limit on all calls let pass.
      { "retry-after": "240", ratelimit: '"core";r=0;t=600' },
    ];
    for (const headers of others)
      expect(await tooOften(tooManyAttempts(240), headers)).toBe(tooManyAttempts(240));
  });

  test("answered with something else than an envelope have a sentence of our own", async () => {
    for (const body of ["<h1>Bad Gateway</h1>", "", "null", '"text"', '{"message":7,"errors":[1,{}]}']) {
      server(() => new Response(body, { status: 500 }));
      expect(await failureOf(api.get("/api/x"))).toMatchObject({
        status: 500,
        code: "UNKNOWN",
        message: "An error occurred. Please try again.",
        errors: [],
      });
    }
  });

  test("without a connection are NETWORK", async () => {
    server(() => Promise.reject(new TypeError("failed to fetch")));
    const error = await failureOf(api.get("/api/x"));
    expect(error).toMatchObject({ status: 0, code: "NETWORK" });
    expect(isUnreachable(error)).toBe(true);
  });

  test("that are given up after the limit are TIMEOUT", async () => {
    const limit = spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
    server((_, init) => Promise.reject(init.signal?.reason));
    const error = await failureOf(api.get("/api/x"));
    expect(limit).toHaveBeenCalledWith(15_000);
    limit.mockRestore();
    expect(error).toMatchObject({ status: 0, code: "TIMEOUT" });
  });

  test("answered 401 report that the user is signed out, except a sign-in itself", async () => {
    let told = 0;
    const stop = onSignedOut(() => {
      told += 1;
    });
    server(() =>
      Response.json({ success: false, code: "INVALID_CREDENTIALS", message: "m" }, { status: 401 }),
    );
    await failureOf(api.post("/api/auth/login", {}));
    expect(told).toBe(0);
    await failureOf(api.get("/api/admin"));
    expect(told).toBe(1);
    stop();
    await failureOf(api.get("/api/admin"));
    expect(told).toBe(1);
  });
});

test.each([
  ["connection refused", "Connection refused."],
  ["Its secret cannot be read; enter it again", "Its secret cannot be read; enter it again."],
  ["It is there.", "It is there."],
])("%j is the sentence %j", (words, sentence) => {
  expect(asSentence(words)).toBe(sentence);
});

test("the server's sentence is shown when there is one", () => {
  const error = new ApiError("Invalid email or password", { status: 401, code: "INVALID_CREDENTIALS" });
  expect(failureText(error, "Error logging in")).toBe("Invalid email or password");
});

test("an answer without a sentence, and a fault of the page itself, show the call's own", () => {
  expect(failureText(new ApiError("?", { status: 502, code: "UNKNOWN" }), "Error logging in")).toBe(
    "Error logging in",
  );
  expect(failureText(new TypeError("x is undefined"), "Error logging in")).toBe("Error logging in");
});

test("no connection has words of its own where a call brings some", () => {
  const offline = new ApiError("?", { status: 0, code: "NETWORK" });
  expect(failureText(offline, "Failed to send", "Please try again.")).toBe("Please try again.");
  expect(failureText(offline, "Error logging in")).toBe("Error logging in");
});
