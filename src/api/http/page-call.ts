import type { Passage } from "#api/door/passage.ts";
import type { Identify } from "./identify.ts";
import type { PageServer } from "./page-server.ts";
import { isFileName } from "./pages/file-name.ts";

const pageDeadlineMs = 2_000;

/** Answers what is outside the API, with the reader's session in it where there is one. */
export const createPageCall =
  (pages: PageServer, identify: Identify) =>
  (passage: Passage, path: string): Response | Promise<Response> => {
    const { request, search } = passage;
    const respond = (isKnown: boolean) => {
      const user = passage.actor.kind === "user" ? passage.actor.user : null;
      return pages.respond({ method: request.method, path, search, headers: request.headers, user, isKnown });
    };
    const identified = isFileName(path) ? undefined : identify(passage);
    if (!(identified instanceof Promise)) return respond(true);
    // A page never waits long for the database: without an answer, the browser asks again by itself.
    const deadline = Bun.sleep(pageDeadlineMs).then(() => false);
    return Promise.race([identified.then(() => true), deadline])
      .catch(() => false)
      .then(respond);
  };
