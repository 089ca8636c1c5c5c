import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { issueSetupLink } from "#api/modules/auth/index.ts";
import { failureOf } from "../errors.ts";
import { apiHeaders } from "../security-headers.ts";
import { splitTarget } from "../target.ts";

/** What is answered between the first connection and the moment in which requests are let in: that the process is alive, or to come again. */
export const startingAnswer = ({ url }: Pick<Request, "url">): Response => {
  const { path } = splitTarget(url);
  const headers = apiHeaders(false);
  if (path === "/api/health") return Response.json({ success: true, status: "alive" }, { headers });
  const error = new AppError("STARTING", undefined, { retryAfterS: 1, data: { status: "starting" } });
  const { status, body, headers: own } = failureOf(error, crypto.randomUUID());
  return Response.json(body, { status, headers: { ...headers, ...own } });
};

/**
 * Hands the link that creates the first admin to `tell`, where no one has an account. While the database does not let it be made,
 * the server continues without: it is tried again every `retryMs`, five seconds unless given. Resolves after the first try, to how
 * to give up.
 */
export const announceSetupLink = async (
  services: Services,
  { tell, retryMs = 5_000 }: { tell: (link: string) => void; retryMs?: number },
): Promise<() => void> => {
  let isOver = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const attempt = async (): Promise<void> => {
    const link = await issueSetupLink(services).catch((error) => {
      if (isOver) return null;
      services.log.warn("the link for the first admin could not be created yet", {
        error: describeError(error),
      });
      retry = setTimeout(attempt, retryMs);
      return null;
    });
    if (link !== null) tell(link);
  };
  await attempt();
  return () => {
    isOver = true;
    clearTimeout(retry);
  };
};
