import { Secret, TOTP } from "otpauth";
import type { TestClient, TestHost } from "./host.ts";

/** The authenticator app of a test's user. */
export type Authenticator = {
  recoveryCodes: string[];
  /** A code that was not used yet: the clock goes on to the next one. */
  nextCode(): string;
};

/** The app that a key was typed into. */
export const appWith = (host: Pick<TestHost, "clock">, typedKey: string) => {
  const secret = Secret.fromBase32(typedKey.replaceAll(" ", ""));
  return () => {
    host.clock.advance(30_000);
    return TOTP.generate({ secret, timestamp: host.clock.now().getTime() });
  };
};

/** Sets an authenticator app up for a signed-in user. Throws when a request of it fails. */
export const enableFactor = async (
  host: Pick<TestHost, "clock">,
  client: TestClient,
): Promise<Authenticator> => {
  const call = async (path: string, body: object) => {
    const answer = await client.call("POST", `/api/account/totp${path}`, body);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { data } = await call("", {});
  const nextCode = appWith(host, data.secret);
  const { recoveryCodes } = (await call("/verify", { code: nextCode() })).data;
  await call("/enable", {});
  return { recoveryCodes, nextCode };
};
