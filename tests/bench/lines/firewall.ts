import { createEngine } from "#plugins/firewall/backend/engine/engine.ts";
import type { InspectedRequest, Paranoia, Pattern } from "#plugins/firewall/backend/engine/engine-types.ts";
import { allPatterns } from "#plugins/firewall/backend/engine/patterns/all-patterns.ts";
import { makeSubject } from "#plugins/firewall/backend/engine/subject.ts";
import { usualOptions } from "#plugins/firewall/backend/engine/testing/inspect.ts";
import { commonWorstTexts } from "#plugins/firewall/backend/engine/testing/worst-texts.ts";
import { type CorpusCase, coreCategories, readCases } from "../../fixtures/crs/read-cases.ts";
import {
  messageOf,
  readAttacks,
  readHonestRequests,
  readTechnicalMessages,
  type SetCase,
} from "../../fixtures/firewall/read-sets.ts";
import { naturalSentences } from "../../fixtures/sentences/natural-sentences.ts";
import { median, quantile } from "../measure/interleave.ts";
import { decimal, type Report } from "../report.ts";
import type { BenchLine } from "./bench-line.ts";

const levels: readonly Paranoia[] = [1, 2, 3, 4];
const sentences = 10_000;
const worstBytes = 64 * 1024;

/** What the firewall's patterns find, what they take for an attack that is none, and what they cost. */
export const firewallLine: BenchLine = {
  name: "firewall",
  programs: [],
  run: async ({ rounds }) => {
    const cases = await readCases();
    return [await detectionReport(cases), costReport(rounds)];
  },
};

const detectionReport = async (cases: readonly CorpusCase[]): Promise<Report> => {
  const engines = levels.map((paranoia) => createEngine({ ...usualOptions, paranoia }));
  const row = (name: string, requests: readonly InspectedRequest[], goal = ""): string[] => [
    name,
    String(requests.length),
    goal,
    ...engines.map(
      (engine) =>
        `${decimal((100 * requests.filter((request) => engine.inspect(request).isAttack).length) / requests.length, 1)} %`,
    ),
  ];
  const rowsOf = (prefix: string, set: readonly SetCase[], goal: string): string[][] => [
    row(prefix, requestsOf(set), goal),
    ...[...Map.groupBy(set, ({ family }) => family)]
      .filter(([, cases]) => cases.length < set.length)
      .map(([family, cases]) => row(`${prefix}: ${family}`, requestsOf(cases))),
  ];
  const [attacks, honest, messages] = [
    await readAttacks(),
    await readHonestRequests(),
    await readTechnicalMessages(),
  ];
  const core = cases.filter(({ kind, category }) => kind === "attack" && category in coreCategories);
  const ofLevel = (level: number) => core.filter(({ paranoia }) => paranoia === level);
  const parts = [false, true] as const;
  return {
    title: "What the firewall blocks",
    method:
      "Threshold 5, one request after the other; the corpus' attacks are those of its own level 1, unless said otherwise. " +
      "The goals are those of level 1.",
    columns: ["", "requests", "goal", ...levels.map((level) => `level ${level}`)],
    rows: [
      ...parts.flatMap((isKept) => {
        const name = isKept ? "corpus, kept aside" : "corpus, built with";
        const attacks = ofLevel(1).filter(({ isKeptAside }) => isKeptAside === isKept);
        return [
          row(name, requestsOf(attacks), "≥ 90 %"),
          ...Object.entries(coreCategories).map(([category, about]) =>
            row(
              `${name}: ${category} ${about}`,
              requestsOf(attacks.filter((one) => one.category === category)),
            ),
          ),
          row(
            `${name}: harmless`,
            requestsOf(cases.filter((one) => one.isBenign && one.isKeptAside === isKept)),
            "≤ 1.5 %",
          ),
        ];
      }),
      ...levels.slice(1).map((level) => row(`corpus' level ${level}`, requestsOf(ofLevel(level)))),
      row(
        "corpus' levels 2 to 4",
        requestsOf(levels.slice(1).flatMap((level) => ofLevel(level))),
        "+4 a level",
      ),
      ...rowsOf("own attacks", attacks, "≥ 90 %"),
      ...rowsOf("honest requests", honest, "≤ 1 %"),
      ...rowsOf("technical messages", messages, "≤ 3 %"),
      row(
        "all that is honest",
        requestsOf([...cases.filter(({ isBenign }) => isBenign), ...honest, ...messages]),
        "+2 a level",
      ),
      row("natural sentences", naturalSentences(sentences).map(messageOf), "≤ 0.1 %"),
    ],
  };
};

const requestsOf = (cases: readonly { request: InspectedRequest }[]): InspectedRequest[] =>
  cases.map(({ request }) => request);

const letter =
  'Hello, I\'d like to ask about the order I placed on Monday: it says "delivered" (tracking 12-345), but nobody was home & ' +
  "nothing was left or signed for. Could you select another date, or drop me a line? Thanks; best regards, Siobhan. ";

/** Requests of 2 KB: letters such as most people write, and sentences that are full of what attacks are made of too. */
const texts: readonly { name: string; goals: readonly [string, string]; messages: string[] }[] = [
  {
    name: "2 KB of a letter",
    goals: ["≤ 0.3", "≤ 2"],
    messages: Array.from({ length: 100 }, (_, n) => `${n} ${letter.repeat(7)}`),
  },
  {
    name: "2 KB of words that attacks have too",
    goals: ["", ""],
    messages: Array.from({ length: 100 }, (_, seed) =>
      naturalSentences(60, seed + 1)
        .join(" ")
        .slice(0, 1_600),
    ),
  },
];

const costReport = (rounds: number): Report => {
  const engine = createEngine(usualOptions);
  const rows = texts.flatMap(({ name, goals, messages }) => {
    const requests = messages.map(messageOf);
    const costs: number[] = [];
    for (let round = 0; round < rounds * 10; round += 1) {
      for (const request of requests) {
        const startedAt = performance.now();
        engine.inspect(request);
        // The first rounds are the compiler's.
        if (round >= rounds) costs.push(performance.now() - startedAt);
      }
    }
    return [
      [`${name}, median`, decimal(median(costs), 3), goals[0]],
      [`${name}, p99`, decimal(quantile(costs, 0.99), 3), goals[1]],
    ];
  });
  const worst = worstPattern();
  return {
    title: "What the firewall costs",
    method:
      `${rounds * 9} rounds of 100 requests, wall time of each; ${allPatterns.length} patterns against ` +
      `${commonWorstTexts(1).length} texts of 64 KB, processor time, the best of three tries.`,
    columns: ["", "ms", "goal"],
    rows: [...rows, [`worst pattern on 64 KB (${worst.id})`, decimal(worst.ms, 1), "≤ 10"]],
  };
};

const worstPattern = (): { id: number; ms: number } =>
  commonWorstTexts(worstBytes)
    .flatMap((text) => allPatterns.map((pattern) => ({ id: pattern.id, ms: costMs(pattern, text) })))
    .reduce((worst, one) => (one.ms > worst.ms ? one : worst));

const costMs = ({ find }: Pattern, text: string): number =>
  Math.min(
    ...[1, 2, 3].map((round) => {
      const written = text + " ".repeat(round);
      const subject = makeSubject("body", "q", written);
      const before = process.cpuUsage();
      find(written, subject);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    }),
  );
