import { addUser, userPassword } from "../driver/add-user.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { nextPlace } from "../faults/api-load.ts";

/** What became of the requests so far. */
type VisitorReport = { sent: number; byKind: Map<string, number>; failures: string[] };

/** People who continue whatever the servers do: they wait for no answer before someone asks the next thing. */
export type SteadyVisitors = { report(): VisitorReport; stop(): Promise<VisitorReport> };

type Member = { email: string; person: Person };
type Act = { kind: string; share: number; run(member: Member): ReturnType<Person["call"]> };

const mostMembers = 20;

/** Sends so many requests a second to the proxy: mostly reads, one in five a write, one in twenty a sign-in. */
export const startSteadyVisitors = async (
  origin: string,
  admin: Person,
  perSecond: number,
): Promise<SteadyVisitors> => {
  const members = await Promise.all(
    Array.from({ length: mostMembers }, async (_, at) => {
      const email = `steady-${at}@example.test`;
      return { email, person: await addUser(origin, admin.cookie ?? "", { name: "Ada", email }) };
    }),
  );
  const acts: Act[] = [
    { kind: "read who I am", share: 50, run: ({ person }) => person.call("GET", "/api/auth/user") },
    { kind: "read my sessions", share: 10, run: ({ person }) => person.call("GET", "/api/account/sessions") },
    { kind: "read the plugins", share: 10, run: ({ person }) => person.call("GET", "/api/plugins") },
    { kind: "read the log", share: 5, run: () => admin.call("GET", "/api/admin/activity?limit=20") },
    {
      kind: "write my name",
      share: 12,
      run: ({ person }) => person.call("PUT", "/api/account/name", { name: `Ada ${Math.random()}` }),
    },
    {
      kind: "write a message",
      share: 8,
      run: ({ email }) =>
        createPerson(origin, nextPlace()).call("POST", "/api/contact", {
          ...{
            name: "Ada",
            email,
            subject: "Support",
            message: "Will this arrive, whatever you do meanwhile?",
          },
        }),
    },
    {
      kind: "sign in",
      share: 5,
      run: ({ email }) =>
        createPerson(origin, nextPlace()).call("POST", "/api/auth/login", { email, password: userPassword }),
    },
  ];
  const whole = acts.flatMap((act) => Array.from({ length: act.share }, () => act));

  const byKind = new Map<string, number>();
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  const send = async (act: Act, member: Member): Promise<void> => {
    try {
      const { status, body } = await act.run(member);
      if (status >= 300) failures.push(`${act.kind}: ${status} ${JSON.stringify(body)}`);
    } catch (error) {
      failures.push(`${act.kind}: ${error}`);
    }
  };
  const startedAt = performance.now();
  const timer = setInterval(() => {
    // A timer that comes late sends what was due meanwhile.
    const due = ((performance.now() - startedAt) * perSecond) / 1_000;
    for (; sent < due; sent += 1) {
      // Steps that share no factor with the lengths: everyone does everything.
      const act = whole[(sent * 37) % whole.length];
      const member = members[(sent * 7) % members.length];
      if (act === undefined || member === undefined) continue;
      byKind.set(act.kind, (byKind.get(act.kind) ?? 0) + 1);
      const sending = send(act, member).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }, 5);

  const report = (): VisitorReport => ({ sent, byKind, failures });
  return {
    report,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      return report();
    },
  };
};
