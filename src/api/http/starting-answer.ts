import { AppError } from "#api/core/app-error.ts";
import { splitTarget } from "./canonical-path.ts";
import { failureOf } from "./errors.ts";
import { apiHeaders } from "./security-headers.ts";

/** What is answered between the first connection and the moment in which requests are let in: that the process is alive, or to come again. */
export const startingAnswer = ({ url }: Pick<Request, "url">): Response => {
  const { path } = splitTarget(url);
  const headers = apiHeaders(false);
  if (path === "/api/health") return Response.json({ success: true, status: "alive" }, { headers });
  const error = new AppError("STARTING", undefined, { retryAfterS: 1, data: { status: "starting" } });
  const { status, body, headers: own } = failureOf(error, crypto.randomUUID());
  return Response.json(body, { status, headers: { ...headers, ...own } });
};
