import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { until } from "#api/testing/until.ts";

/** A mail as its reader sees it. */
type ReadMail = { to: string; subject: string; text: string };

/** Every mail that a server without a mail server has written into its outbox so far, oldest first. */
const readOutbox = async (dataDir: string): Promise<ReadMail[]> => {
  const folder = join(dataDir, "outbox");
  const files = readdirSync(folder).filter((name) => name.endsWith(".eml"));
  return Promise.all(
    files.sort().map(async (name) => {
      const { to, subject = "", text = "" } = await PostalMime.parse(readFileSync(join(folder, name)));
      return { to: to?.[0]?.address ?? "", subject, text };
    }),
  );
};

/** Links that were emailed to someone, by the path that they lead to; waits until there are `count`. */
export const mailedLinks = async (
  dataDir: string,
  { to, path, count }: { to: string; path: string; count: number },
): Promise<string[]> => {
  let links: string[] = [];
  const pattern = new RegExp(`https?://\\S+${path}\\?token=[\\w-]{43}`);
  await until(async () => {
    const mails = (await readOutbox(dataDir)).filter((mail) => mail.to === to);
    links = mails.flatMap(({ text }) => pattern.exec(text)?.[0] ?? []);
    return links.length >= count;
  });
  return links;
};

/** The newest link to `path` that was emailed to someone; waits until there is one. */
export const mailedLink = async (dataDir: string, to: string, path: string): Promise<string> =>
  (await mailedLinks(dataDir, { to, path, count: 1 })).at(-1) ?? "";
