import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/** A mail as the server got it: parsed, with the envelope's recipients and the bytes. */
type CaughtMail = Email & { recipients: string[]; raw: string };

/** What the server does with a mail: takes it, answers with an SMTP line such as `550 5.1.1 No such user`, or hangs. */
type SinkAnswer = "take" | "hang" | `${4 | 5}${number} ${string}`;

/** How the server behaves from now on. All of it is optional. */
type SinkBehaviour = {
  /** Asked for each recipient. */
  onRecipient?: (address: string) => SinkAnswer;
  /** Asked for each text. */
  onText?: (mail: CaughtMail) => SinkAnswer;
  /** Milliseconds before each text is taken. */
  delayMs?: number;
};

/** A mail server on the loopback that keeps what it is given. */
export type SmtpSink = {
  readonly url: string;
  readonly mails: CaughtMail[];
  /** How many connections were made since the start. */
  readonly connections: number;
  behave(behaviour: SinkBehaviour): void;
  /** Resolves as soon as `count` mails were taken; rejects after `withinMs`, 15 s unless said. */
  received(count: number, withinMs?: number): Promise<void>;
  /** Ends all connections and refuses new ones. */
  down(): Promise<void>;
  /** Is there again, at the same address. */
  up(): Promise<void>;
};

/** Starts a sink on a free port. Take it `down` after the tests. */
export const startSmtpSink = async (): Promise<SmtpSink> => {
  const mails: CaughtMail[] = [];
  const watchers = new Set<() => void>();
  let behaviour: SinkBehaviour = {};
  let connections = 0;
  let port = 0;
  let server: SMTPServer | null = null;

  const takeText = async (mail: CaughtMail, done: (error?: Error) => void) => {
    if (behaviour.delayMs) await Bun.sleep(behaviour.delayMs);
    const answer = behaviour.onText?.(mail) ?? "take";
    if (answer === "take") {
      mails.push(mail);
      for (const watcher of watchers) watcher();
    }
    reply(answer, done);
  };

  const open = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      disableReverseLookup: true,
      closeTimeout: 50,
      logger: false,
      onConnect: (_session, done) => {
        connections += 1;
        done();
      },
      onRcptTo: ({ address }, _session, done) => reply(behaviour.onRecipient?.(address) ?? "take", done),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", async () => takeText(await caught(Buffer.concat(chunks), session), done));
      },
    });

  const up = async () => {
    const opened = open();
    // Clients that vanish in the middle are part of the tests.
    opened.on("error", () => {});
    await new Promise<void>((resolve) => opened.listen(port, "127.0.0.1", resolve));
    port = portOf(opened.server.address());
    server = opened;
  };

  await up();
  return {
    get url() {
      return `smtp://127.0.0.1:${port}`;
    },
    mails,
    get connections() {
      return connections;
    },
    behave: (next) => {
      behaviour = next;
    },
    received: (count, withinMs = 15_000) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(
        () => reject(new Error(`${mails.length} of ${count} emails arrived within ${withinMs} ms`)),
        withinMs,
      );
      const watch = () => {
        if (mails.length >= count) resolve();
      };
      watchers.add(watch);
      watch();
      return promise.finally(() => {
        clearTimeout(timer);
        watchers.delete(watch);
      });
    },
    down: async () => {
      const closing = server;
      server = null;
      if (closing) await new Promise<void>((resolve) => closing.close(resolve));
    },
    up,
  };
};

const reply = (answer: SinkAnswer, done: (error?: Error) => void): void => {
  const [code, ...text] = answer.split(" ");
  if (answer === "take") done();
  else if (answer !== "hang") done(Object.assign(new Error(text.join(" ")), { responseCode: Number(code) }));
};

const caught = async (bytes: Buffer, session: SMTPServerSession): Promise<CaughtMail> => ({
  ...(await PostalMime.parse(new Uint8Array(bytes))),
  recipients: session.envelope.rcptTo.map(({ address }) => address),
  raw: bytes.toString("utf8"),
});

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === "string") throw new Error("the sink has no port");
  return address.port;
};
