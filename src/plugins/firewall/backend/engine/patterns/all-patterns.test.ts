import { expect, test } from "bun:test";
import { markupAttacks } from "../../../../../../tests/fixtures/attacks/markup-attacks.ts";
import { sqlAttacks } from "../../../../../../tests/fixtures/attacks/sql-attacks.ts";
import { readCases } from "../../../../../../tests/fixtures/crs/read-cases.ts";
import { requestSubjects } from "../request-subjects.ts";
import { requestOf } from "../testing/inspect.ts";
import { allPatterns } from "./all-patterns.ts";

test("each pattern has a number and a title of its own", () => {
  expect(new Set(allPatterns.map(({ id }) => id)).size).toBe(allPatterns.length);
  expect(new Set(allPatterns.map(({ title }) => title)).size).toBe(allPatterns.length);
});

test("no pattern finds anything in a text that has nothing of what it says it needs", async () => {
  const requests = [
    ...(await readCases()).map(({ request }) => request),
    ...[...sqlAttacks, ...markupAttacks].map(requestOf),
  ];
  const wrong = new Set<string>();
  for (const subject of requests.flatMap((request) => requestSubjects(request).subjects)) {
    for (const { id, needs, view, find } of allPatterns) {
      const text = subject.view(view);
      if (needs === undefined || needs.some((need) => text.includes(need))) continue;
      if (find(text, subject) !== null) wrong.add(`${id} in ${text.slice(0, 40)}`);
    }
  }
  expect([...wrong]).toEqual([]);
});
