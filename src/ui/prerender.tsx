import { renderToString } from "react-dom/server";
import { pagePathComplaint, takenPath } from "#contract/page-paths.ts";
import { markedSite } from "#contract/site.ts";
import type { User } from "#contract/users.ts";
import { ownPages } from "#plugins/own-pages.ts";
import { App } from "./app.tsx";
import { resetSession, type Session } from "./lib/session.ts";
import { setSite } from "./lib/site.ts";
import { notFoundRoute, type PageAccess, type PageRoute, routes, titleOf, variantRoutes } from "./routes.tsx";

/** One page's markup, for each kind of reader. `visitor` is `null` where visitors are led elsewhere. */
export type RenderedPage = {
  path: string;
  title: string;
  description: string | null;
  access: PageAccess;
  source: string;
  /** Whether a form or data waits for the application, so that it starts right after the first paint. */
  isEager: boolean;
  visitor: string | null;
  member: string;
  unsure: string;
  /** The word of the site's settings with which it stands at its path, in place of the page that is there otherwise. */
  variant?: string;
};

/** Stands for every signed-in reader; a page that showed any of it ahead of time would show it to all. */
export const sampleUser: User = {
  id: "sample-reader-id",
  name: "Sample Reader",
  email: "sample.reader@example.invalid",
  role: "user",
  googleId: null,
  githubId: null,
  emailVerified: true,
  createdAt: "2000-01-01T00:00:00.000Z",
};

const signedOut: Session = { user: null, status: "ready" };
const signedIn: Session = { user: sampleUser, status: "ready" };
const unknown: Session = { user: null, status: "loading" };

/** Renders every page, with marks for texts of the site; the "not found" page comes last. Throws when a page's code cannot be loaded or rendered. */
export const renderPages = async (): Promise<RenderedPage[]> => {
  const all = [...routes, notFoundRoute];
  for (const { path, access } of ownPages) {
    const isTwice = routes.filter((route) => route.path === path).length > 1;
    const complaint = isTwice ? takenPath : pagePathComplaint(path, access);
    if (complaint !== null) throw new Error(`The page ${path} of a feature can't be used: ${complaint}`);
  }
  await Promise.all([...all, ...variantRoutes].map(load));
  const variants = variantRoutes.map((route) => {
    const { path, variant } = route;
    setSite({ ...markedSite, variants: { [path]: variant } });
    return { ...renderPage(route), variant };
  });
  setSite(markedSite);
  return [...variants, ...all.map(renderPage)];
};

const load = async ({ path, page }: PageRoute) => {
  await page.load();
  const state = page.read();
  if (state.step === "failed")
    throw new Error(`the page at ${path} cannot be loaded`, { cause: state.error });
};

const renderPage = (route: PageRoute): RenderedPage => {
  const { path, access, source, skeleton } = route;
  const isPublic = access === "public";
  return {
    path,
    title: titleOf(route, markedSite),
    description: pageDescriptions[path] ?? ownPages.find((page) => page === route)?.description ?? null,
    access,
    source,
    isEager: !isPublic || skeleton === "form",
    visitor: isPublic ? markup(route, signedOut) : null,
    member: markup(route, signedIn),
    unsure: markup(route, isPublic ? signedOut : unknown),
  };
};

const markup = ({ path, source }: PageRoute, session: Session): string => {
  resetSession(session);
  try {
    return renderToString(<App ssrPath={path} />);
  } catch (error) {
    throw new Error(`the page at ${path} (${source}) cannot be rendered`, { cause: error });
  }
};

/**
 * What search engines show of each page that they may list, by its path. Read while pages are rendered ahead of time,
 * and kept apart from the routes so that no browser loads it.
 */
export const pageDescriptions: Readonly<Record<string, string>> = {
  "/": markedSite.about,
  "/about": "What this site is, what it is built on and who it is for.",
  "/contact": "Write to the team behind this site. Replies come within 24-48 hours.",
  "/terms": "The rules for using this site and for having an account on it.",
  "/privacy": "What this site stores about you, why, for how long and how to have it deleted.",
  "/cookies": "Every cookie and setting that this site stores in your browser.",
  "/login": "Sign in to your account.",
  "/register": "Create an account.",
  "/verify": "Get a new verification email.",
  "/forgot-password": "Get an email with a link to set a new password.",
};
