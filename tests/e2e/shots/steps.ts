import type { Page } from "playwright-core";
import type { Viewer } from "../stage.ts";
import { failure, json } from "./answers.ts";

/** One thing that happens before a picture is taken. `go` opens the scene's page: what is to be stubbed comes before it. */
export type Step = (page: Page, go: () => Promise<void>) => Promise<unknown>;

/** Steps one after the other, in groups where that reads better. */
export type Steps = readonly (Step | Steps)[];

/** Something worth a picture: a page, who looks at it, and what happens before the picture is taken. */
export type Scene = {
  name: string;
  path: string;
  who: Viewer;
  steps?: Steps;
  /** Only on screens up to this width, in CSS pixels. */
  maxWidth?: number;
  /** The page has no heading yet. */
  hasNoHeading?: boolean;
  /** The part, as a selector, in which it differs from another scene. */
  within?: string;
};

/** Scenes of one page, by their names; `more` holds for all of them. */
export const scenesOn = (
  who: Viewer,
  path: string,
  steps: Record<string, Steps>,
  more: Pick<Scene, "maxWidth" | "hasNoHeading" | "within"> = {},
): Scene[] => Object.entries(steps).map(([name, own]) => ({ name, path, who, steps: own, ...more }));

type Address = string | RegExp;
type Part = "dialog" | "main" | "contentinfo";

const partOf = (page: Page, part?: Part) => (part === undefined ? page : page.getByRole(part));

export const open: Step = (_, go) => go();

/** Has calls of these addresses answered with a status and a body. */
export const answers =
  (url: Address, body: object, status = 200): Step =>
  (page) =>
    page.route(url, json(status, body));

/** The same with data in the envelope of a success. */
export const tells = (url: Address, data: unknown): Step => answers(url, { success: true, data });

/** The same with the envelope of a failure. */
export const refuses =
  (url: Address, ...[status, code, message, more]: Parameters<typeof failure>): Step =>
  (page) =>
    page.route(url, failure(status, code, message, more));

export const restarting = "The database is restarting.";
export const isRestarting = (url: Address): Step => refuses(url, 503, "DB_UNAVAILABLE", restarting);

/** Leaves calls of these addresses without an answer, or breaks them off. */
export const hangs =
  (url: Address): Step =>
  (page) =>
    page.route(url, () => {});
export const breaks =
  (url: Address): Step =>
  (page) =>
    page.route(url, (route) => route.abort());

/** Wait for words, for a place by its selector, or for what has this role and name. */
export const sees =
  (words: string): Step =>
  (page) =>
    page.getByText(words).first().waitFor();
export const finds =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().waitFor();
export const meets =
  (role: Parameters<Page["getByRole"]>[0], name?: string | RegExp, part?: Part): Step =>
  (page) =>
    partOf(page, part)
      .getByRole(role, name === undefined ? {} : { name })
      .first()
      .waitFor();

export const isBusy: Step = finds("[aria-busy=true]");
export const isInvalid: Step = finds("[aria-invalid=true]");
export const asks: Step = finds("dialog:modal");

/** Press a button whose name has these words in it, or is exactly these. */
export const presses =
  (name: string, part?: Part): Step =>
  (page) =>
    partOf(page, part).getByRole("button", { name }).click();
export const pressesExactly =
  (name: string, part?: Part): Step =>
  (page) =>
    partOf(page, part).getByRole("button", { name, exact: true }).click();

/** Types into the fields with exactly these labels. */
export const fills =
  (fields: Record<string, string>): Step =>
  async (page) => {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text);
  };

/** Types into the field whose label has these words in it. */
export const types =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label).fill(text);

export const selects =
  (label: string, option: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: true }).selectOption(option);

/** Sends the page's first form. */
export const submits: Step = (page) => page.locator("form button[type=submit]").first().click();

/** Scrolls a section to the top, so that no control lies half under the page's header. */
export const scrollsTo =
  (section: string): Step =>
  (page) =>
    page
      .getByRole("region", { name: section, exact: true })
      .evaluate((element) => element.scrollIntoView({ block: "start" }));

export const scrollsToTable =
  (name: string): Step =>
  (page) =>
    page.getByRole("table", { name, exact: true }).evaluate((element) => element.scrollIntoView());
