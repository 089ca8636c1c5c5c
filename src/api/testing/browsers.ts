import { type TestClient, type TestHost, testPassword } from "./host.ts";

/** The `Set-Cookie` values of an answer. */
export const cookiesOf = (answer: Response): string[] => answer.headers.getSetCookie();

/** The same person with the session cookie that an answer set. Throws when it set none. */
export const withCookieOf = (client: TestClient, answer: Response): TestClient => {
  const cookie = cookiesOf(answer).flatMap((set) => /^sid=[\w-]{43}/.exec(set)?.[0] ?? [])[0];
  if (!cookie) throw new Error("the answer set no session cookie");
  const call: TestClient["call"] = (method, path, body, headers) =>
    client.call(method, path, body, { ...headers, cookie });
  return { ...client, cookie, call };
};

/** The same person in one more browser. */
export const signInAgain = async (
  host: TestHost,
  client: TestClient,
  password: string = testPassword,
): Promise<TestClient> => {
  const credentials = { email: client.user?.email, password };
  return withCookieOf(client, await host.visitor().call("POST", "/api/auth/login", credentials));
};
