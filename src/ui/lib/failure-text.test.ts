import { expect, test } from "bun:test";
import { ApiError, failureText } from "#ui/lib/api.ts";

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
