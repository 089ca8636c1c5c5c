import type { TestClient, TestHost } from "./host.ts";

/** An endpoint of Cloudflare R2 with an account of its own; `digit` tells accounts apart. */
export const r2Endpoint = (digit = "a"): string => `https://${digit.repeat(32)}.r2.cloudflarestorage.com`;

/** A bucket with everything that is needed to use it. */
export const goodBucket = {
  bucket: "atrium-files",
  token: "token-of-cloudflare-0001",
  accessKeyId: "access-key-0001-abcd",
  secretAccessKey: "secret-access-key-0001-abcdefgh",
  endpointS3: r2Endpoint(),
};

/** What an API call answered. */
export type Answered = { status: number; answer: Record<string, unknown> & { data?: unknown } };

/** The calls about settings as one person makes them; `tell` gives status and answer of any call. */
export const settingsCalls = (client: TestClient) => {
  const tell = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const answer = await client.call(method, `/api/auth/settings${path}`, body);
    return { status: answer.status, answer: await answer.json() };
  };
  const dataOf = async (path: string): Promise<unknown> => (await tell("GET", path)).answer.data;
  return {
    tell,
    credentials: () => dataOf("/credentials"),
    core: () => dataOf("/core"),
    history: async (query = ""): Promise<unknown[]> => {
      const changes: unknown = Reflect.get(Object(await dataOf(`/history${query}`)), "changes");
      return Array.isArray(changes) ? changes : [];
    },
    save: (body: unknown) => tell("PUT", "/credentials", body),
    saveCore: (body: unknown) => tell("PUT", "/core", body),
  };
};

/** Empties whatever earlier tests have saved of external services. */
export const emptyCredentials = async ({ save }: ReturnType<typeof settingsCalls>): Promise<void> => {
  await save({
    redis: { endpoint: "", password: null },
    cloudflareR2: { bucket: "", endpointS3: "", token: null, accessKeyId: null, secretAccessKey: null },
  });
};

/** Everything that the log of the server says, as one text. */
export const saidInLog = ({ logs }: Pick<TestHost, "logs">): string => JSON.stringify(logs);
