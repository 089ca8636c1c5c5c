import { type AnyFeature, featureComplaint, moduleOf } from "#contract/define-feature.ts";
import type {
  CallInput,
  CommandGroup,
  Contract,
  EnvelopeOf,
  Operation,
  OperationCommand,
} from "#contract/operation.ts";
import { own } from "#plugins/own.ts";
import { accountContract } from "./modules/account/contract.ts";
import { activityContract, activityGroup } from "./modules/activity/contract.ts";
import { authContract } from "./modules/auth/contract.ts";
import { backupsContract, backupsGroup } from "./modules/backups/contract.ts";
import { contactContract, contactGroup } from "./modules/contact/contract.ts";
import { emailChangesContract } from "./modules/email-changes/contract.ts";
import { invitationsContract } from "./modules/invitations/contract.ts";
import { mailContract, mailGroup } from "./modules/mail/contract.ts";
import { passkeysContract } from "./modules/passkeys/contract.ts";
import { pluginKeysContract, pluginsContract, pluginsGroup } from "./modules/plugins/contract.ts";
import { providersContract, providersGroup } from "./modules/providers/contract.ts";
import { secondFactorsContract } from "./modules/second-factors/contract.ts";
import { secretsContract, secretsGroup } from "./modules/secrets/contract.ts";
import { settingsContract, settingsGroup } from "./modules/settings/contract.ts";
import { snapshotsContract, snapshotsGroup } from "./modules/snapshots/contract.ts";
import { systemContract } from "./modules/system/contract.ts";
import { tokenGroup, tokensContract } from "./modules/tokens/contract.ts";
import { adminGroup, userGroup, usersContract } from "./modules/users/contract.ts";

/** The contracts of the product's modules: a pure list, for server, terminal, scripts and tests. Pages know its type alone. */
export const contracts = {
  account: accountContract,
  activity: activityContract,
  auth: authContract,
  backups: backupsContract,
  contact: contactContract,
  emailChanges: emailChangesContract,
  invitations: invitationsContract,
  mail: mailContract,
  passkeys: passkeysContract,
  plugins: pluginsContract,
  pluginKeys: pluginKeysContract,
  providers: providersContract,
  secondFactors: secondFactorsContract,
  secrets: secretsContract,
  settings: settingsContract,
  snapshots: snapshotsContract,
  system: systemContract,
  tokens: tokensContract,
  users: usersContract,
};

/** The words of their commands. */
export const commandGroups = {
  activity: activityGroup,
  admin: adminGroup,
  backups: backupsGroup,
  contact: contactGroup,
  mail: mailGroup,
  plugins: pluginsGroup,
  providers: providersGroup,
  secrets: secretsGroup,
  settings: settingsGroup,
  snapshots: snapshotsGroup,
  tokens: tokenGroup,
  users: userGroup,
};

/** The features that are listed in `src/plugins/own.ts`. */
export const features: readonly AnyFeature[] = own;

/** The words of their commands. */
export const ownGroups: { readonly [name: string]: CommandGroup } = Object.fromEntries(
  features.flatMap((feature) =>
    feature.commands === undefined
      ? []
      : [[moduleOf(feature), { word: feature.name, ...feature.commands }] as const],
  ),
);

const groups: { readonly [name: string]: CommandGroup } = { ...commandGroups, ...ownGroups };

/** A command of a module with the word that it is under: `user disable`. */
export const commandWords = (module: string, { name, group = module }: OperationCommand): string =>
  `${groups[group]?.word ?? group} ${name}`;

/** An operation by its name in the API's document, `contact.list`, which is that of its module and its own. */
export type NamedOperation = { id: string; module: string; name: string; operation: Operation };

const named = ([module, contract]: readonly [string, Contract]): NamedOperation[] =>
  Object.entries(contract).map(([name, operation]) => ({ id: `${module}.${name}`, module, name, operation }));

/** Those of the product. */
export const coreOperations: readonly NamedOperation[] = Object.entries(contracts).flatMap(named);

/** Those of own features. */
export const ownOperations: readonly NamedOperation[] = features.flatMap((feature) =>
  named([moduleOf(feature), feature.contract]),
);

/** All of them. */
export const operations: readonly NamedOperation[] = [...coreOperations, ...ownOperations];

/** Why the listed features can't be used; `null` when they can. */
export const ownComplaint = (): string | null => featureComplaint(features, Object.keys(contracts));

/** The typed client: `await client.contact.update({ id, handled: true })` resolves to the body of the answer. */
export type Client = { readonly [M in keyof typeof contracts]: ClientOf<(typeof contracts)[M]> };

/** The typed client of one contract. */
export type ClientOf<C extends Contract> = { readonly [Name in keyof C]: CallOf<C[Name]> };

// Where nothing must be given, nothing need be given.
type CallOf<O> =
  object extends CallInput<O>
    ? (input?: CallInput<O>) => Promise<EnvelopeOf<O>>
    : (input: CallInput<O>) => Promise<EnvelopeOf<O>>;
