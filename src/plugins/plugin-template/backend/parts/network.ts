import type { Ctx, Json } from "../../atrium-plugin.d.ts";
import { answering } from "../answering.ts";

/** Calls to other servers: to the hosts that the manifest names, and to nobody else. */
export const addNetwork = (ctx: Ctx): void => {
  const answers = answering("What came of it", { url: "https://example.com/" });
  ctx.routes.get(
    "/reach",
    {
      summary: "Looks whether example.com answers",
      description: "Asks a host that the manifest names.",
      answers: answers,
    },
    () => ask(ctx, "https://example.com/"),
  );
  ctx.routes.get(
    "/reach-elsewhere",
    {
      summary: "Is refused",
      description:
        "Asks a host that the manifest does not name: the answer tells what the host of plugins says to that.",
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
    // PERMISSION_DENIED for a host that was not granted, FAILED for one that cannot be reached.
    return { url, problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
};
