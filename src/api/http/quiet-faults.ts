/**
 * For every listener: without it Bun shows strangers a page with source, stack and folder for whatever is thrown before a
 * handler could catch it. Its own look at NODE_ENV comes before any of our code runs.
 */
export const quietFaults = {
  development: false,
  error: () =>
    new Response("Internal Server Error\n", {
      status: 500,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    }),
} as const;
