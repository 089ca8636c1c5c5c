import type { Ctx, Json } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";

/** Requests to other servers, only to hosts that the manifest lists. */
export const addNetwork = (ctx: Ctx): void => {
  const answers = answering("The result", { url: "https://example.com/" });
  ctx.routes.get(
    "/reach",
    {
      summary: "Check whether example.com responds",
      description: "Sends a request to a host that the manifest lists.",
      answers: answers,
    },
    () => ask(ctx, "https://example.com/"),
  );
  ctx.routes.get(
    "/reach-elsewhere",
    {
      summary: "Send a request that is refused",
      description: "Sends a request to a host that the manifest does not list, and returns the error.",
      answers: answers,
    },
    () => ask(ctx, "https://example.org/"),
  );
};

const ask = async (ctx: Ctx, url: string): Promise<Json> => {
  try {
    const answer = await ctx.fetch(url, { headers: { accept: "text/html" }, timeoutMs: 5_000 });
    return { url, status: answer.status, length: answer.text().length };
  } catch (error) {
    // PERMISSION_DENIED for a host that is not granted, FAILED for one that cannot be reached.
    return { url, problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
};
