import { readFile } from "node:fs/promises";
import type { SetProviderInput, SignInProvider } from "#api/modules/providers/contract.ts";
import { type Client, operationsOf } from "#cli/client/client.ts";
import { usage } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { type GivenOptions, listText, typedValue, type View } from "#cli/operations/declared-command.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { type Column, formatFacts, whole } from "#cli/terminal/table.ts";
import { nested, type Setting, valueAt, wordOf } from "#contract/define-settings.ts";
import { onceGone, providerOptionName, providerSettings, sentences } from "#contract/provider-settings.ts";
import { showFailed, testResultText } from "../settings/settings-views.ts";

/** `provider set`: adds a provider or changes one, with the client secret from a file, standard input or a prompt. */
const setProvider = async (invocation: Invocation, options: GivenOptions): Promise<void> => {
  const [provider = ""] = invocation.args;
  const change = changeIn(options);
  const { message, data } = await withClient(invocation, async (client) => {
    const secret = await secretFrom(invocation, client, { provider, options });
    if (secret === undefined && Object.keys(change).length === 0)
      throw usage("give at least one setting; see: atrium provider set --help");
    const clientSecret = secret === undefined ? {} : { clientSecret: secret };
    return operationsOf(client).providers.set({ provider, ...change, ...clientSecret });
  });
  invocation.output.result(data, () => printable(message));
};

/** The settings that were typed, as the API takes them. */
const changeIn = (options: GivenOptions): Omit<SetProviderInput, "provider" | "clientSecret"> => {
  const typed = providerSettings.settings.flatMap(([path, setting]) => {
    const value = typedValue(options, providerOptionName(path));
    return value === undefined ? [] : [[path, typedAs(setting, value)] as const];
  });
  // The paths are those of the settings, which is what a change has; the server checks each value.
  return nested(typed) as Omit<SetProviderInput, "provider" | "clientSecret">;
};

const typedAs = ({ kind }: Setting, value: unknown): unknown => {
  if (kind === "switch") return value === "on";
  const isEmptied = kind === "list" && Array.isArray(value) && value.length === 1 && value[0] === "none";
  return isEmptied ? [] : value;
};

type SecretWish = { provider: string; options: GivenOptions };

/** The client secret that was given; `undefined` where the stored one stays. */
const secretFrom = async (
  { terminal, isPlan }: Invocation,
  client: Client,
  { provider, options }: SecretWish,
): Promise<string | undefined> => {
  const file = typedValue(options, "client-secret-file");
  if (typeof file === "string")
    return lineIn(file === "-" ? await terminal.readInput() : await bytesOf(file));
  const isWanted = typedValue(options, "ask-client-secret") === true || !(await isAdded(client, provider));
  if (!isWanted) return undefined;
  // A plan asks for none: what it tells is the same for any that will do.
  if (isPlan) return crypto.randomUUID();
  if (terminal.isInputTerminal) return terminal.askSecret("Client secret");
  throw usage(
    "cannot ask for the client secret without a terminal: give it in a file with --client-secret-file, or on standard input with --client-secret-file -",
  );
};

const isAdded = async (client: Client, id: string): Promise<boolean> =>
  (await operationsOf(client).providers.list()).data.providers.some((provider) => provider.id === id);

const bytesOf = (file: string): Promise<Uint8Array> =>
  readFile(file).catch((cause) => {
    throw usage(`${printable(file)} can't be read`, { cause });
  });

/** Whoever writes a secret into a file may end its line. */
const lineIn = (bytes: Uint8Array): string => {
  const text = new TextDecoder().decode(bytes).trim();
  if (text === "") throw usage("the client secret is empty");
  return text;
};

const stateWords = {
  on: "in use",
  off: "off",
  overruled: "overruled by the environment",
  unreadable: "client secret missing",
} as const;

const stateText = ({ state, lockedBy }: SignInProvider): string =>
  lockedBy === null ? stateWords[state] : `${stateWords[state]}, set by ${lockedBy}`;

const columnsFor = (style: Style): Column<SignInProvider>[] => [
  { heading: "ID", cell: ({ id }) => id, least: whole },
  { heading: "TITLE", cell: ({ settings }) => settings.label },
  {
    heading: "STATE",
    cell: stateText,
    paint: (text, { state }) => (state === "on" ? style.green(text) : style.yellow(text)),
  },
  { heading: "USERS", cell: ({ users }) => String(users), least: whole },
  { heading: "ISSUER", cell: ({ settings }) => settings.issuer, isSpare: true },
];

const factsOf = (provider: SignInProvider, style: Style): string =>
  formatFacts(
    [
      ["Id", provider.id],
      ["State", stateText(provider)],
      ["Redirect URL", provider.redirectUri],
      ...(provider.logoutUri === null ? [] : [["Sign-out URL", provider.logoutUri] as const]),
      ["Linked users", usersText(provider)],
      ...providerSettings.settings.map(
        ([path, { label }]) => [label, wordOf(valueAt(provider.settings, path)) || "none"] as const,
      ),
    ],
    style,
  );

const usersText = ({ users, usersWithoutOther, usersElsewhere, adminsByGroup }: SignInProvider): string =>
  [
    `${users}`,
    ...(usersWithoutOther === 0 ? [] : [`${usersWithoutOther} without another way to sign in`]),
    ...(adminsByGroup === 0 ? [] : [`${adminsByGroup} with the administrator role from its groups`]),
    ...(usersElsewhere === 0 ? [] : [`${usersElsewhere} more at another issuer or under another name`]),
  ].join(", ");

/** What the commands about sign-in providers do that no declaration can say. */
export const providerViews = {
  "provider list": {
    text: (providers, style) =>
      listText(providers, { columns: columnsFor(style), none: "No sign-in providers.", style }),
  } satisfies View<SignInProvider[]>,
  "provider show": { text: factsOf } satisfies View<SignInProvider>,
  "provider set": { run: setProvider } satisfies View<never, never, GivenOptions>,
  "provider test": {
    run: async (invocation) => {
      const [provider = ""] = invocation.args;
      const answer = await withClient(invocation, (client) =>
        duringStep(createProgress(invocation.terminal), `testing ${printable(provider)}`, async () =>
          operationsOf(client).providers.test({ provider }),
        ),
      ).catch((error: unknown) => showFailed(invocation, error));
      invocation.output.result(answer.data, ({ testResult }, style) => testResultText(testResult, style));
    },
  } satisfies View<never>,
  "provider remove": {
    question: (provider) => {
      const question = `Remove ${provider.settings.label} and its client secret?`;
      return printable(sentences(provider.state === "on" ? onceGone(provider) : "", question));
    },
  } satisfies View<never, SignInProvider>,
};
