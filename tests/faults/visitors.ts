import { createPerson, type Person } from "../driver/person.ts";
import { nextPlace } from "./api-load.ts";

/** What one visit came to: `status` is `null` when there was no answer at all. */
export type Visit = {
  kind: VisitKind;
  status: number | null;
  code: unknown;
  /** What `Retry-After` says. */
  retryAfter: string | null;
  begunAt: number;
  ms: number;
};

/** What visitors do: look at a page, call with their session, write a message, sign in, ask whether the server is ready. */
export const visitKinds = ["page", "session", "message", "signIn", "ready"] as const;
export type VisitKind = (typeof visitKinds)[number];

/** Whose session is used, and at which server. */
export type VisitPlan = { url: string; cookie: string; email: string; password: string };

export type Visitors = {
  /** Everything seen since the last time; what is under way is not part of it. */
  takeVisits(): Visit[];
  /** Texts of messages: all that were sent, and those of them that were acknowledged. */
  readonly sent: string[];
  readonly acknowledged: string[];
  stop(): Promise<void>;
};

const pauseMs = 40;

/** A few people who visit a server without end, each thing again and again and from ever new places. */
export const startVisitors = ({ url, cookie, email, password }: VisitPlan): Visitors => {
  let visits: Visit[] = [];
  let isOver = false;
  const sent: string[] = [];
  const acknowledged: string[] = [];

  const write = async (person: Person) => {
    const message = `A question, ${crypto.randomUUID()}`;
    const body = { name: "Ada", email: "ada@example.test", subject: "Support", message };
    sent.push(message);
    const answer = await person.call("POST", "/api/contact", body);
    if (answer.status === 201) acknowledged.push(message);
    return answer;
  };
  const actions: Record<VisitKind, (person: Person) => ReturnType<Person["call"]>> = {
    page: (person) => person.call("GET", "/login"),
    session: (person) => {
      person.cookie = cookie;
      return person.call("GET", "/api/auth/user");
    },
    message: write,
    signIn: (person) => person.call("POST", "/api/auth/login", { email, password }),
    ready: (person) => person.call("GET", "/api/ready"),
  };
  const visit = async (kind: VisitKind): Promise<void> => {
    const begunAt = performance.now();
    const answer = await actions[kind](createPerson(url, nextPlace())).catch(() => null);
    visits.push({
      kind,
      status: answer?.status ?? null,
      code: answer?.body.code,
      retryAfter: answer?.headers.get("retry-after") ?? null,
      begunAt,
      ms: performance.now() - begunAt,
    });
  };
  const person = async (kind: VisitKind): Promise<void> => {
    while (!isOver) {
      await visit(kind);
      await Bun.sleep(pauseMs);
    }
  };
  const people = [...visitKinds, "session" as const, "message" as const].map(person);

  return {
    takeVisits: () => {
      const taken = visits;
      visits = [];
      return taken;
    },
    sent,
    acknowledged,
    stop: async () => {
      isOver = true;
      await Promise.all(people);
    },
  };
};
