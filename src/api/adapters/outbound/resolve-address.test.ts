import { describe, expect, test } from "bun:test";
import { failureOf } from "#api/testing/failure-of.ts";
import { OutboundError, resolveAllowed, resolveEachAllowed } from "./check-address.ts";

const finds =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address }));

describe("what may be dialled", () => {
  test.each([
    ["127.0.0.1", 4],
    ["10.1.2.3", 4],
    ["[::1]", 6],
    ["[fd12::1]", 6],
    ["0:0:0:0:0:0:0:1", 6],
  ] as const)("is the literal %s itself, without a lookup", async (literal, family) => {
    const resolver = async () => {
      throw new Error("looked up");
    };
    expect(await resolveAllowed(literal, resolver)).toEqual({
      address: literal.replace(/[[\]]/g, ""),
      family,
    });
  });

  test("is every address behind a name, in the order of the lookup", async () => {
    expect(await resolveEachAllowed("Cache.Internal", finds("::1", "10.0.0.1"))).toEqual([
      { address: "::1", family: 6 },
      { address: "10.0.0.1", family: 4 },
    ]);
  });
});

describe("what is refused", () => {
  test("is a name of which one address is forbidden, whatever the others are", async () => {
    const failure = await failureOf(resolveEachAllowed("x.test", finds("10.0.0.1", "169.254.169.254")));
    expect(failure).toBeInstanceOf(OutboundError);
    expect(await failureOf(resolveAllowed("x.test", finds()))).toBeInstanceOf(OutboundError);
  });

  test("is no longer a question when the lookup itself fails: its error is told", async () => {
    const failure = await failureOf(
      resolveEachAllowed("x.test", async () => {
        throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
      }),
    );
    expect(Reflect.get(Object(failure), "code")).toBe("ENOTFOUND");
  });
});
