import { describe, expect, test } from "bun:test";
import type { ActivityFact, ActivityRecorder } from "#api/core/activity.ts";
import type { Actor } from "#api/core/context.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { firstPartyPlugins } from "#plugins/first-party.ts";
import { recordCall } from "./recorded-call.ts";

describe("a plugin's route", () => {
  const rowsOf = (plugin: string, method: string, actor: Actor) => {
    const left: ActivityFact[] = [];
    const call = {
      route: { ...routeOf, plugin, method },
      isCall: true,
      trace: { failure: null, isRecorded: false },
      actor,
      cookies: { session: { token: null } },
      bearer: null,
      ...{ requestId: "r", ip: "203.0.113.7", userAgent: null, startedNs: 0 },
    };
    const activity: ActivityRecorder = {
      note: (fact) => void left.push(fact),
      record: async () => {},
      wake: () => {},
      settle: async () => {},
    };
    recordCall({ activity, clock: createTestClock() }, call, 200);
    return left.length;
  };
  const visitor: Actor = { kind: "visitor" };

  test("of a shipped plugin leaves no row when visitors use it, unlike any other plugin's", () => {
    for (const { manifest } of firstPartyPlugins)
      for (const method of ["GET", "POST"])
        expect([manifest.name, rowsOf(manifest.name, method, visitor)]).toEqual([manifest.name, 0]);
    expect([rowsOf("guest-book", "GET", visitor), rowsOf("guest-book", "POST", visitor)]).toEqual([1, 1]);
  });

  test("of a shipped plugin leaves a row for a change by somebody who is known", () => {
    expect(rowsOf("licensing", "POST", { kind: "operator" })).toBe(1);
    expect(rowsOf("licensing", "GET", { kind: "operator" })).toBe(0);
  });
});

const routeOf = {
  ...({
    template: "/api/p",
    summary: "Do it",
    access: "public",
    scope: null,
    exemption: null,
    proof: "none",
  } as const),
  ...({ stateChange: null, failurePath: null, mayTakeLong: false, isShared: false } as const),
  ...({
    bodyKind: "json",
    bodyCheck: null,
    takesPassword: false,
    queryNames: null,
    planned: null,
    answer: null,
  } as const),
};
