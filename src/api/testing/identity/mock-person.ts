/** Someone as a provider knows them; `subject` is a number in digits, as GitHub's are. */
export type MockPerson = {
  subject: string;
  name?: string | null;
  email?: string | null;
  isEmailVerified?: boolean;
};

/** What a provider's token endpoint does instead of its work. */
export const tokenFaults = [
  "status-500",
  "silent",
  "dripping",
  "huge",
  "redirect",
  "not-json",
  "not-an-object",
  "refused",
  "error-with-200",
] as const;
export type TokenFault = (typeof tokenFaults)[number];

/** A provider of the tests, on loopback. */
export type MockProvider = {
  name: string;
  /** Address without trailing slash. */
  url: string;
  /** The registration that it knows. */
  client: { clientId: string; clientSecret: string };
  /** The variables that make a server use it. */
  env: Record<string, string>;
  /** How many codes it was asked to exchange. */
  readonly exchanges: number;
  /** Whoever asks it from now on is this person. */
  become(person: MockPerson): void;
  /** The person says no from now on, or yes again. */
  cancel(isCancelled: boolean): void;
  /** The token endpoint does this from now on; `null` ends it. */
  fail(fault: TokenFault | null): void;
  stop(): Promise<void>;
};

/** Someone whom no provider knows yet. */
export const newMockPerson = (person: Partial<MockPerson> = {}): MockPerson => {
  const subject = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  return {
    subject,
    name: "Grace Example",
    email: `grace.${subject}@example.test`,
    isEmailVerified: true,
    ...person,
  };
};
