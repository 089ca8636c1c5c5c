import { AppError } from "#api/core/app-error.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { issueSetupLink } from "#api/modules/auth/index.ts";
import { failureOf } from "../errors.ts";
import { apiHeaders } from "../security-headers.ts";
import { splitTarget } from "../target.ts";

/**
 * The response before requests are accepted: health says that the process is alive, everything else that the server is
 * starting.
 */
export const startingAnswer = ({ url }: Pick<Request, "url">): Response => {
  const { path } = splitTarget(url);
  const headers = apiHeaders(false);
  if (path === "/api/health") return Response.json({ success: true, status: "alive" }, { headers });
  const error = new AppError("STARTING", undefined, { retryAfterS: 1, data: { status: "starting" } });
  const { status, body, headers: own } = failureOf(error, crypto.randomUUID());
  return Response.json(body, { status, headers: { ...headers, ...own } });
};

/**
 * Passes the link that creates the first admin to `tell`, where there are no users yet. If the database does not allow
 * that, the server runs without it and tries again every `retryMs`, five seconds unless given. Resolves after the first
 * attempt, to a function that stops further ones.
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
