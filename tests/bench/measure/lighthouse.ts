import { existsSync } from "node:fs";
import { onAllCores } from "./cores.ts";

/** What Lighthouse finds of one page: scores of 0 to 100, the sum of layout shifts, and the blocking time. */
export type PageQuality = {
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  layoutShift: number;
  blockingMs: number;
};

/** The release whose figures are kept; another one weighs otherwise. */
export const lighthouseVersion = "13.5.0";

const chromium = "/usr/bin/chromium";
const categories = ["performance", "accessibility", "best-practices", "seo"];
const most = { loads: 4, loadMs: 120_000 };

// Run by Bun itself, because Lighthouse wants a newer Node than many systems have. It is fetched when first wanted: nothing
// else needs it.
const lighthouse = [process.execPath, "x", "--bun", `lighthouse@${lighthouseVersion}`];

/** Throws, saying what is missing, when pages cannot be measured here. */
export const requireLighthouse = async (): Promise<void> => {
  if (!existsSync(chromium)) throw new Error(`not installed: ${chromium} (Debian: chromium)`);
  const { output, complaint } = await run(["--version"]);
  if (output.trim() === lighthouseVersion) return;
  const hint = "it comes from the npm registry, which has to be reachable the first time";
  throw new Error(`Lighthouse ${lighthouseVersion} cannot be had; ${hint}:\n${complaint}`);
};

/** Loads a page as a slow phone would. Throws when several loads in a row could not be measured. */
export const measurePage = async (url: string): Promise<PageQuality> => {
  const words = [
    url,
    "--quiet",
    "--output=json",
    `--only-categories=${categories.join(",")}`,
    "--chrome-flags=--headless=new --no-sandbox",
  ];
  let complaint = "";
  for (let load = 0; load < most.loads; load += 1) {
    const result = await run(words);
    const quality = readReport(result.output);
    if (quality !== null) return quality;
    // Now and then Chromium leaves the beginning of the page out of the trace.
    complaint = result.complaint;
  }
  throw new Error(`Lighthouse could not measure ${url}:\n${complaint}`);
};

/** The quality that a report in JSON tells of; `null` when the load was not measured. */
export const readReport = (json: string): PageQuality | null => {
  const report = parseReport(json);
  if (report === null || report.runtimeError !== undefined) return null;
  const score = (category: string) => Math.round((report.categories[category]?.score ?? Number.NaN) * 100);
  const value = (audit: string) => report.audits[audit]?.numericValue ?? Number.NaN;
  const quality = {
    performance: score("performance"),
    accessibility: score("accessibility"),
    bestPractices: score("best-practices"),
    seo: score("seo"),
    layoutShift: value("cumulative-layout-shift"),
    blockingMs: value("total-blocking-time"),
  };
  return Object.values(quality).some(Number.isNaN) ? null : quality;
};

/** The parts of a report that are read. A score or a value that could not be found is missing. */
type Report = {
  runtimeError?: { code: string };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
};

// Lighthouse writes nothing where it could not even begin; else its report has this shape.
const parseReport = (json: string): Report | null => (json.trim() === "" ? null : JSON.parse(json));

const run = async (words: string[]): Promise<{ output: string; complaint: string }> => {
  const child = Bun.spawn([...onAllCores, ...lighthouse, ...words], {
    env: { ...process.env, CHROME_PATH: chromium },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: most.loadMs,
  });
  const [output, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { output, complaint };
};
