import { faultyAnswer } from "./faulty-answer.ts";
import { type MockPerson, type MockProvider, newMockPerson, type TokenFault } from "./mock-person.ts";

/** A server that behaves like GitHub in what sign-in needs of it. */
export type GithubStub = MockProvider & {
  /** What `/user` and `/user/emails` answer from now on instead of the person; `null` ends it. */
  answer(answers: { user?: unknown; emails?: unknown } | null): void;
};

/** What a code stands for until it is exchanged. */
type Grant = { challenge: string; redirectUri: string; person: MockPerson };

/** Starts a stub on a free port. Stop it after the tests. */
export const startGithubStub = async (): Promise<GithubStub> => {
  const client = { clientId: "atrium-at-github", clientSecret: "github-secret" };
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, MockPerson>();
  let person: MockPerson = newMockPerson();
  let fault: TokenFault | null = null;
  let answers: { user?: unknown; emails?: unknown } | null = null;
  let isCancelled = false;
  let exchanges = 0;

  const authorize = ({ searchParams: asked }: URL): Response => {
    const [redirectUri, challenge] = [asked.get("redirect_uri"), asked.get("code_challenge")];
    const isPkce = asked.get("code_challenge_method") === "S256" && challenge;
    const isComplete = redirectUri && isPkce && asked.get("scope") === "read:user user:email";
    if (!isComplete || asked.get("client_id") !== client.clientId) {
      return new Response("not a request of this client", { status: 400 });
    }
    const code = crypto.randomUUID();
    if (!isCancelled) codes.set(code, { challenge, redirectUri, person });
    const back = new URL(redirectUri);
    if (isCancelled) back.searchParams.set("error", "access_denied");
    else back.searchParams.set("code", code);
    back.searchParams.set("state", asked.get("state") ?? "");
    return Response.redirect(back.href, 302);
  };

  // As GitHub does it: whatever is wrong, the status is 200.
  const exchange = async (request: Request): Promise<Response> => {
    exchanges += 1;
    if (fault) return faultyAnswer(fault);
    const sent = new URLSearchParams(await request.text());
    const code = sent.get("code") ?? "";
    const grant = codes.get(code);
    codes.delete(code);
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString("base64");
    if (request.headers.get("authorization") !== `Basic ${basic}`) {
      return Response.json({ error: "incorrect_client_credentials" });
    }
    const challenge = new Bun.CryptoHasher("sha256")
      .update(sent.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant?.challenge !== challenge || grant.redirectUri !== sent.get("redirect_uri")) {
      return Response.json({ error: "bad_verification_code" });
    }
    const token = `gho_${crypto.randomUUID()}`;
    tokens.set(token, grant.person);
    return Response.json({ access_token: token, token_type: "bearer", scope: "read:user,user:email" });
  };

  const tell = (request: Request, path: string): Response => {
    const bearer = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const known = tokens.get(bearer);
    if (!known) return Response.json({ message: "Bad credentials" }, { status: 401 });
    return path === "/user"
      ? Response.json(answers?.user ?? userOf(known))
      : Response.json(answers?.emails ?? emailsOf(known));
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) => {
      const url = new URL(request.url);
      if (url.pathname === "/login/oauth/authorize") return authorize(url);
      if (url.pathname === "/login/oauth/access_token") return exchange(request);
      if (["/api/v3/user", "/api/v3/user/emails"].includes(url.pathname)) {
        return tell(request, url.pathname.slice("/api/v3".length));
      }
      return new Response("not found", { status: 404 });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;

  return {
    name: "github",
    url,
    client,
    env: {
      GITHUB_BASE_URL: url,
      GITHUB_API_URL: `${url}/api/v3`,
      GITHUB_CLIENT_ID: client.clientId,
      GITHUB_CLIENT_SECRET: client.clientSecret,
    },
    get exchanges() {
      return exchanges;
    },
    become: (next) => {
      person = next;
    },
    cancel: (next) => {
      isCancelled = next;
    },
    fail: (next) => {
      fault = next;
    },
    answer: (next) => {
      answers = next;
    },
    stop: () => server.stop(true),
  };
};

const userOf = ({ subject, name = null }: MockPerson) => ({
  id: Number(subject),
  login: `login-${subject}`,
  name,
  // The public address is anyone's: it proves nothing.
  email: `public.${subject}@example.test`,
});

const emailsOf = ({ subject, email, isEmailVerified = false }: MockPerson) => [
  { email: `second.${subject}@example.test`, primary: false, verified: true, visibility: null },
  ...(email ? [{ email, primary: true, verified: isEmailVerified, visibility: "private" }] : []),
];
