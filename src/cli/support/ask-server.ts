import { fetchOwn } from "#cli/own-socket.ts";

/**
 * Asks the running server over its control socket and resolves to the answer as it is, whatever its version answers. Throws as
 * `fetchOwn` does.
 */
export const askServer = async (
  controlSocket: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> => {
  const answer = await fetchOwn(controlSocket, `http://localhost${path}`, {
    headers: { host: "localhost", ...headers },
    signal: AbortSignal.timeout(limitMs),
  });
  return answer.text();
};

/** The data of such an answer, or the whole of an envelope without. Throws for what is no JSON. */
export const askData = async (controlSocket: string, path: string): Promise<unknown> => {
  const body: unknown = JSON.parse(await askServer(controlSocket, path));
  return Reflect.get(Object(body), "data") ?? body;
};

const limitMs = 15_000;
