import { builtUi } from "../measure/built-ui.ts";
import { interleave, median } from "../measure/interleave.ts";
import {
  lighthouseVersion,
  measurePage,
  type PageQuality,
  requireLighthouse,
} from "../measure/lighthouse.ts";
import { decimal } from "../report.ts";
import { createInstallation, startAtrium } from "../subjects/atrium.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

/** A load takes ten seconds, and more of them move the median no further. */
const mostRounds = 5;

/** Performance that is aimed at; the landing page has all of its other scores full as well. */
const goals = { landing: 98, others: 95, full: 100 };

/** Opened without the token of its link, the first leads elsewhere and the others have nothing but that to say. */
const needLink = ["/verify-email", "/setup", "/invite", "/email-change", "/unlink"];

/** What Lighthouse says of every public page. */
export const pageQualityLine: BenchLine = {
  name: "page-quality",
  run: async ({ rounds }) => {
    const paths = Object.entries(builtUi().pages).flatMap(([path, { access }]) =>
      access === "public" && !needLink.includes(path) ? [path] : [],
    );
    await requireLighthouse();
    return inWorkshop(async ({ folder, keep }) => {
      const installation = await createInstallation(folder, null);
      const { url } = keep(await startAtrium({ name: "embedded", folder, installation }));
      const loads = Math.min(rounds, mostRounds);
      const results = await interleave(paths, loads, (path) => measurePage(`${url}${path}`));
      return {
        title: "Quality of each public page",
        method:
          `Lighthouse ${lighthouseVersion} with its own phone: a slow line and a quarter of this machine's speed, ` +
          `both reckoned from a load at full speed. Medians of ${loads} interleaved loads.`,
        columns: [
          "",
          "performance",
          "goal",
          "accessibility",
          "best practices",
          "SEO",
          "goal of each",
          "layout shift",
          "blocking ms",
        ],
        rows: paths.map((path, index) => rowOf(path, results[index] ?? [])),
      };
    });
  },
};

const rowOf = (path: string, loads: PageQuality[]): string[] => {
  const middle = (of: (load: PageQuality) => number) => median(loads.map(of));
  const isLanding = path === "/";
  return [
    path,
    decimal(middle(({ performance }) => performance)),
    `≥ ${isLanding ? goals.landing : goals.others}`,
    decimal(middle(({ accessibility }) => accessibility)),
    decimal(middle(({ bestPractices }) => bestPractices)),
    decimal(middle(({ seo }) => seo)),
    isLanding ? String(goals.full) : "",
    decimal(
      middle(({ layoutShift }) => layoutShift),
      3,
    ),
    decimal(middle(({ blockingMs }) => blockingMs)),
  ];
};
