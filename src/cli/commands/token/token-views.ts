import { InvalidArgumentError } from "commander";
import type { ApiToken, CreateTokenInput, NewApiToken } from "#api/modules/tokens/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { CliFailure, toFailure, usage } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { given, wholeNumber } from "#cli/operations/typed-values.ts";
import { formatMinute } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { saveFile } from "#cli/terminal/save-file.ts";
import { type Column, columnsOf, formatFacts, whole } from "#cli/terminal/table.ts";
import { readFilterDate } from "#contract/activity.ts";
import {
  networkComplaint,
  type TokenScope,
  type TokenState,
  tokenLimits,
  tokenScopes,
  tokenTexts,
} from "#contract/api-tokens.ts";
import { labelled, tokenFields } from "#contract/field-marks.ts";
import { listText, type View } from "../../operations/declared-command.ts";
import { endOf } from "../plugin/plugin-views.ts";

type NewTokenOptions = {
  name: string;
  scope: TokenScope[];
  expires?: string;
  network?: string[];
  callsPerMinute?: CallLimit;
  out?: string;
};

/** `token create`: makes a token and prints it, this once. */
const createToken = async (
  invocation: Invocation,
  { name, scope, expires, network, callsPerMinute, out }: NewTokenOptions,
): Promise<void> => {
  const body = {
    name,
    scopes: scope,
    ...given({
      expiresAt: endOf(expires),
      allowedNetworks: network,
      callsPerMinute: limitOf(callsPerMinute),
    }),
  };
  await withClient(invocation, async (client) => {
    const { output, isPlan } = invocation;
    // A plan leaves the file alone as well.
    const made = out === undefined || isPlan ? await send(client, body) : await sendTo(out, client, body);
    const words = `Created ${calledToken(made)}: ${printable(tokenTermsText(made))}`;
    if (out !== undefined) {
      const { token: _, ...known } = made;
      output.result({ ...known, file: out }, () => `${words}. The token is in ${out}`);
      return;
    }
    output.result(made, ({ token }) => token);
    if (!output.isJson) output.note(`${words}. It is not shown again; its id is ${printable(made.id)}`);
  });
};

const send = async (client: Client, body: CreateTokenInput): Promise<NewApiToken> => {
  const made = (await operationsOf(client).tokens.create(body)).data;
  if (tokenShape.test(made.token)) return made;
  throw new CliFailure("UNREACHABLE", `${client.target} did not return the new API token`);
};

// It goes to the terminal, or into a file, as it is.
const tokenShape = /^atr_[0-9A-Za-z]{1,100}$/;

/** Makes the token only once the file can be written, and ends it again should the writing fail nevertheless. */
const sendTo = async (file: string, client: Client, body: CreateTokenInput): Promise<NewApiToken> => {
  const made: NewApiToken[] = [];
  const bytes = async function* () {
    const token = await send(client, body);
    made.push(token);
    yield new TextEncoder().encode(`${token.token}\n`);
  };
  try {
    // An existing file may hold a token that is in use, or may have been placed there by someone who wants to read it.
    await saveFile(file, bytes(), { isNew: true });
  } catch (error) {
    for (const { id } of made)
      await operationsOf(client)
        .tokens.revoke({ id })
        .catch((reason) => {
          throw staysLive(id, { error, reason });
        });
    throw error;
  }
  const [token] = made;
  if (token === undefined) throw new Error("nothing was written");
  return token;
};

/** Why nothing was written, and that the lost token is still valid. */
const staysLive = (id: string, { error, reason }: { error: unknown; reason: unknown }): CliFailure => {
  const { kind, message } = toFailure(error);
  return new CliFailure(
    kind,
    `${message}\nThe token ${id} is still active: it could not be revoked (${toFailure(reason).message}). ` +
      `Revoke it with: atrium token revoke ${id}`,
    { cause: error },
  );
};

/** Which of several tokens with one name is meant: the one that can be used, or one that cannot any more. */
type WantedToken = "live" | "dead";

/**
 * The token with this id, or with this name in any case: of several the only one that is `wanted`. Throws `NOT_FOUND`, and
 * `CONFLICT` where the name does not tell which is meant.
 */
export const findToken = async (client: Client, typed: string, wanted: WantedToken): Promise<ApiToken> => {
  const { tokens } = (await operationsOf(client).tokens.list()).data;
  const key = typed.trim().toLowerCase();
  const byId = tokens.find(({ id }) => id === key);
  if (byId !== undefined) return byId;
  const named = tokens.filter(({ name }) => name.toLowerCase() === key);
  const meant = named.filter(({ state }) => (state === "live") === (wanted === "live"));
  const [found, another] = meant.length > 0 ? meant : named;
  if (found === undefined) throw new CliFailure("NOT_FOUND", tokenTexts.unknown);
  if (another !== undefined)
    throw new CliFailure("CONFLICT", "Several tokens have this name; give an id instead", {
      errors: named.map(({ id, hint, state }) => ({ path: id, message: `…${hint}, ${state}` })),
    });
  return found;
};

/** A token as a sentence names it. */
const calledToken = ({ name, hint }: Pick<ApiToken, "name" | "hint">): string =>
  printable(`${name} (…${hint})`);

/** The state of a token in words; that of one whose owner is no administrator any more says so. */
const tokenState = ({ state, owner }: ApiToken): string =>
  state === "live" && owner?.isActive === false ? "owner inactive" : state;

/** Whom a token acts for. */
const tokenOwner = ({ owner }: ApiToken): string => owner?.email ?? "operator";

type ShownTerms = Pick<ApiToken, "scopes" | "expiresAt" | "allowedNetworks" | "callsPerMinute">;

/** What a token is allowed, on one line. */
const tokenTermsText = ({ scopes, expiresAt, allowedNetworks, callsPerMinute }: ShownTerms): string =>
  [
    scopes.join(", "),
    expiresAt === null ? "never expires" : `until ${formatMinute(expiresAt)}`,
    allowedNetworks.length === 0 ? "from anywhere" : `from ${allowedNetworks.join(", ")}`,
    ...(callsPerMinute === null ? [] : [`${callsPerMinute} calls per minute`]),
  ].join("; ");

type Terms = { name?: string; network?: string[]; callsPerMinute?: CallLimit };

/** What a token may do, of an option that is given once or several times, with commas between the scopes. */
const readScopes = (text: string, before: TokenScope[] = []): TokenScope[] => {
  const words = text.split(",").map((word) => word.trim());
  const wrong = words.filter((word) => !isScope(word));
  if (wrong.length > 0)
    throw new InvalidArgumentError(
      `Unknown scope: ${wrong.join(", ")}. Allowed are ${tokenScopes.join(", ")}.`,
    );
  return [...new Set([...before, ...words.filter(isScope)])];
};

const isScope = (word: string): word is TokenScope => tokenScopes.some((scope) => scope === word);

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 } as const;
const isUnit = (unit: string): unit is keyof typeof unitMs => Object.hasOwn(unitMs, unit);

/**
 * Reads when a token ends, as the API takes it: a span from `now` (`90d`), a moment, the end of a day in UTC, or `never`
 * (see {@link endOf}). A moment without an offset is in UTC. Throws for anything else; whether it is to come, the API says.
 */
const readExpiry = (text: string, now: Date): string => {
  const typed = text.trim();
  if (typed === "never") return typed;
  const [, count = "", unit = ""] = /^(\d{1,5})([mhdwy])$/.exec(typed) ?? [];
  if (isUnit(unit)) return new Date(now.getTime() + Number(count) * unitMs[unit]).toISOString();
  const written = typed.toUpperCase().replace(" ", "T");
  const moment = /T[\d:.]+$/.test(written) ? `${written}Z` : written;
  if (readFilterDate(moment) === null)
    throw new InvalidArgumentError(
      "It must be a period from now (90d, 12h, 2w, 1y), a date (2030-01-31), a time (2030-01-31T00:00:00Z), or never.",
    );
  return new Date(moment.includes("T") ? moment : `${moment}T23:59:59.999Z`).toISOString();
};

/** From where a token may be used, of an option that may be repeated; `any` alone is from anywhere. */
const readNetworks = (text: string, before?: string[]): string[] => {
  const words = text.split(",").map((word) => word.trim());
  const isAny = words.includes("any");
  if (isAny && (words.length > 1 || before !== undefined))
    throw new InvalidArgumentError("any can't be combined with other values.");
  if (isAny) return [];
  if (before?.length === 0) throw new InvalidArgumentError("any can't be combined with other values.");
  if (words.some((word) => networkComplaint(word) !== null))
    throw new InvalidArgumentError(`${tokenTexts.badNetwork}.`);
  return [...new Set([...(before ?? []), ...words])];
};

/** How often a token may call; see {@link limitOf}. */
const readCalls = (text: string): CallLimit => {
  if (text === "none") return text;
  const calls = wholeNumber(text);
  if (calls < 1 || calls > tokenLimits.callsPerMinute)
    throw new InvalidArgumentError(`It must be 1 to ${tokenLimits.callsPerMinute}, or none.`);
  return calls;
};

/** A limit as it was typed: commander keeps no `null`. */
type CallLimit = number | "none";

/** That limit as the API takes it: `null` for none. */
const limitOf = (typed: CallLimit | undefined): number | null | undefined =>
  typed === "none" ? null : typed;

const termReaders = { network: readNetworks, "calls-per-minute": readCalls };

/** How the commands about tokens show what is answered; where they call more than one operation, what they do. */
export const tokenViews = {
  "token create": {
    read: {
      ...termReaders,
      scope: readScopes,
      expires: (text: string) => readExpiry(text, new Date()),
    },
    run: createToken,
  } satisfies View<never, never, NewTokenOptions>,
  "token list": {
    run: async (invocation, { state: wanted }) => {
      const { tokens } = (await withClient(invocation, (client) => operationsOf(client).tokens.list())).data;
      const shown = tokens.filter(({ state }) => wanted === undefined || state === wanted);
      invocation.output.result(shown, (rows, style) =>
        listText(rows, { columns: columnsFor(style), none: `${tokenTexts.none}.`, style }),
      );
    },
  } satisfies View<never, never, { state?: TokenState }>,
  "token show": {
    run: async (invocation) => {
      const [typed] = invocation.args;
      const token = await withClient(invocation, async (client) =>
        typed === undefined
          ? (await operationsOf(client).tokens.current()).data
          : findToken(client, typed, "live"),
      );
      invocation.output.result(token, factsOf);
    },
  } satisfies View<never>,
  "token update": {
    read: termReaders,
    input: (_, { name, network, callsPerMinute }) => {
      const terms = given({ name, allowedNetworks: network, callsPerMinute: limitOf(callsPerMinute) });
      if (Object.keys(terms).length === 0)
        throw usage("give at least one of --name, --network and --calls-per-minute");
      return terms;
    },
    text: (token) => printable(`Changed ${calledToken(token)}: ${tokenTermsText(token)}`),
  } satisfies View<ApiToken, never, Terms>,
  "token remove": {
    run: (invocation) =>
      withClient(invocation, async (client) => {
        const { id, name, hint } = await findToken(client, invocation.args[0] ?? "", "dead");
        await operationsOf(client).tokens.remove({ id });
        invocation.output.result({ id, name }, () => `Removed ${calledToken({ name, hint })}`);
      }),
  } satisfies View<never>,
};

const column = columnsOf<ApiToken>(tokenFields);

const columnsFor = (style: Style): Column<ApiToken>[] => [
  column("name"),
  column("hint", { as: (hint) => `…${hint}`, least: whole }),
  column("scopes", { as: (scopes) => scopes.join(", ") }),
  column("state", {
    cell: tokenState,
    paint: (text, token) => (tokenState(token) === "live" ? style.green(text) : style.red(text)),
  }),
  column("owner", { cell: tokenOwner, isSpare: true }),
  column("lastUsedAt", { as: formatMinute, least: whole, isSpare: true }),
  column("expiresAt", { as: formatMinute, least: whole, isSpare: true }),
  { heading: "ID", cell: ({ id }) => id, least: whole, isSpare: true },
];

const factsOf = (token: ApiToken, style: Style): string =>
  formatFacts(
    labelled(tokenFields, {
      id: token.id,
      name: token.name,
      hint: `…${token.hint}`,
      scopes: token.scopes.join(", "),
      state: tokenState(token),
      owner: tokenOwner(token),
      allowedNetworks: token.allowedNetworks.join(", ") || "any",
      callsPerMinute: token.callsPerMinute === null ? "no limit" : String(token.callsPerMinute),
      createdAt: formatMinute(token.createdAt),
      expiresAt: formatMinute(token.expiresAt),
      lastUsedAt: lastUse(token),
      revokedAt: token.revokedAt === null ? null : formatMinute(token.revokedAt),
    }),
    style,
  );

const lastUse = ({ lastUsedAt, lastUsedIp }: ApiToken): string =>
  lastUsedIp === null ? formatMinute(lastUsedAt) : `${formatMinute(lastUsedAt)} from ${lastUsedIp}`;
