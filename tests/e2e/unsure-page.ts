import type { Route } from "playwright-core";
import { loadPages } from "#api/http/pages/pages.ts";

/** Answers for a page as the server does while it cannot look up whose session it was asked with. */
export const answerUnsure = async (route: Route): Promise<void> => {
  const { pathname, search } = new URL(route.request().url());
  const answer = loadPages({ appUrl: "http://localhost" }).respond({
    method: "GET",
    path: pathname,
    search,
    headers: new Headers(),
    user: null,
    isKnown: false,
  });
  await route.fulfill({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  });
};
