import { describeError } from "#api/core/describe-error.ts";

/** What a native plugin looks at each request with; what it returns is the answer. */
export type BeforeHook = (
  request: Request,
  facts: { ip: string },
) => Response | undefined | Promise<Response | undefined>;

// A page is waited for meanwhile.
const patienceMs = 1_000;

/**
 * Asks a hook; `undefined` lets the request go on. One that throws, takes longer than a second or answers with something
 * else lets it go on, too, and is told of. The hook gets a copy: what it reads of the body is still there afterwards.
 */
export const runHook = async (
  hook: BeforeHook,
  { request, ip }: { request: Request; ip: string },
  failed: (reason: string) => void,
): Promise<Response | undefined> => {
  const { promise: deadline, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), patienceMs);
  try {
    const said = await Promise.race([hook(copyOf(request), { ip }), deadline]);
    if (said === undefined || said instanceof Response) return said;
    failed(said === "late" ? "request.before took longer than a second" : "request.before gave no Response");
    return undefined;
  } catch (error) {
    failed(`request.before threw: ${describeError(error).message}`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
};

const copyOf = (request: Request): Request =>
  request.body === null
    ? new Request(request.url, { method: request.method, headers: request.headers })
    : request.clone();
