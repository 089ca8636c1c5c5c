import { expect, test } from "bun:test";
import { ApiError } from "#ui/lib/api.ts";
import { withPaths } from "./with-paths.ts";

const first = (path: string) => path.split(".")[0] ?? "";

test("what the server complains about is placed at the form's own field, and nothing else of the failure changes", async () => {
  const errors = [{ path: "networks.3", message: "Please enter a network" }];
  const details = { status: 403, code: "REAUTHENTICATION_REQUIRED", errors, data: { for: "it" } } as const;
  const failed = withPaths(Promise.reject(new ApiError("Please sign in again first", details)), first);
  const placed = [{ path: "networks", message: "Please enter a network" }];
  await expect(failed).rejects.toMatchObject({
    ...details,
    name: "ApiError",
    message: "Please sign in again first",
    errors: placed,
  });
});

test("a call that succeeds, and a failure that is none of the server's, pass as they are", async () => {
  expect(await withPaths(Promise.resolve("Saved"), first)).toBe("Saved");
  const bug = new TypeError("undefined is not a function");
  await expect(withPaths(Promise.reject(bug), first)).rejects.toBe(bug);
});
