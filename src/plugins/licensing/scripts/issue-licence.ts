/** Issues license keys: `bun src/plugins/licensing/scripts/issue-licence.ts keygen|issue|verify`; see the plugin's README. */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { statusOf } from "../backend/licence/license-status.ts";
import { readPublicKey } from "../backend/licence/public-key.ts";
import { verifyKey } from "../backend/licence/verify-key.ts";
import { generateIssuerKey, issueLicence, publicKeyIn } from "./issue.ts";

const usage = `Usage:
  keygen --out issuer.pem                     create an issuer's key pair and print the public key
  issue --key issuer.pem --owner NAME --plan PLAN [--expires YYYY-MM-DD|never] [--grace DAYS] [--id ID]
                                              print a license key, valid through the day of --expires (UTC)
  public-key --key issuer.pem                 print the public key that belongs to a private one
  verify --public BASE64 [--file license.txt] verify a license key, from standard input without --file, and print its content
--key - reads the private key from standard input.`;

const options = {
  out: { type: "string" },
  key: { type: "string" },
  owner: { type: "string" },
  plan: { type: "string" },
  expires: { type: "string" },
  grace: { type: "string" },
  id: { type: "string" },
  public: { type: "string" },
  file: { type: "string" },
} as const;

const textOf = async (path: string | undefined): Promise<string> =>
  path === undefined || path === "-" ? Bun.stdin.text() : readFile(path, "utf8");

const commands: Record<string, () => Promise<string>> = {
  keygen: async () => {
    const { privateKey, publicKey } = await generateIssuerKey();
    // Never overwrites a key, and only the owner of the file can read it.
    await writeFile(needed("out"), privateKey, { flag: "wx", mode: 0o600 });
    return publicKey;
  },
  issue: async () => {
    const { expires = "never", grace = "14", id } = values;
    const now = Date.now();
    return issueLicence(
      {
        ...{ owner: needed("owner"), plan: needed("plan"), graceDays: Number(grace) },
        id: id ?? crypto.randomUUID(),
        issuedAt: new Date(now).toISOString(),
        expiresAt: expires === "never" ? null : endOfDay(expires),
      },
      await textOf(needed("key")),
    );
  },
  verify: async () => {
    const issuer = await readPublicKey(needed("public"));
    if ("problem" in issuer) throw new Error(`--public is not a usable key (${issuer.problem})`);
    const verified = await verifyKey(await textOf(values.file), [issuer.key]);
    if ("reason" in verified) throw new Error(verified.reason);
    const { state, note, licence } = statusOf(verified.licence, Date.now());
    return JSON.stringify({ state, note, ...licence }, null, 2);
  },
  "public-key": async () => publicKeyIn(await textOf(needed("key"))),
};

/** The first instant of the next day: `expiresAt` is when a license is no longer valid. */
const endOfDay = (day: string): string => {
  const begin = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(begin)) throw new Error("--expires must be a day such as 2027-12-31, or never");
  return new Date(begin + 24 * 60 * 60 * 1000).toISOString();
};

const needed = (name: keyof typeof options): string => {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing\n${usage}`);
  return value;
};

const { values, positionals } = parseArgs({ options, allowPositionals: true });

try {
  const command = commands[positionals[0] ?? ""];
  if (command === undefined || positionals.length > 1) throw new Error(usage);
  console.log(await command());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
