import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { Plugin, TrustedKey } from "#contract/plugins.ts";
import { RequestDialog } from "#ui/components/confirm-dialog.tsx";
import { FormDialog } from "#ui/components/form.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { DateField } from "#ui/components/ui/date-field.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";

import { Copyable, Fact } from "../../facts.tsx";
import { formatDate } from "../../format.ts";
import { EmptyList, LoadedData } from "../../list-parts.tsx";

type KeysSectionProps = {
  /** To name those that a key vouches for. */
  plugins: readonly Plugin[];
  onChange: () => void;
};

/** The keys that vouch for plugins: whose they are, for what they count, and the way to trust or revoke one. */
export const KeysSection = ({ plugins, onChange }: KeysSectionProps) => {
  const loaded = useLoad(listKeys);
  const [isAdding, setIsAdding] = useState(false);
  const [asked, setAsked] = useState<TrustedKey | null>(null);
  const changed = () => {
    loaded.reload();
    onChange();
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-2xl grow basis-64 text-pretty text-muted-foreground text-sm">{keyTexts.lead}</p>
        <Button onClick={() => setIsAdding(true)} className="max-sm:w-full">
          <KeyRound aria-hidden="true" />
          {keyTexts.add}
        </Button>
      </div>
      <LoadedData
        loaded={loaded}
        skeleton={
          <Card aria-busy="true" aria-label={keyTexts.loading} className="p-4">
            <Skeleton className="h-24 w-full" />
          </Card>
        }
      >
        {(keys) => (
          <Card>
            {keys.length === 0 ? (
              <EmptyList Icon={KeyRound} title={keyTexts.none} text={keyTexts.noneText} />
            ) : (
              <ul className="divide-y divide-border">
                {keys.map((key) => (
                  <KeyRow key={key.keyId} trusted={key} onRevoke={() => setAsked(key)} />
                ))}
              </ul>
            )}
          </Card>
        )}
      </LoadedData>
      {isAdding && <AddKeyDialog onClose={() => setIsAdding(false)} onAdded={changed} />}
      {asked !== null && (
        <RequestDialog
          onClose={() => setAsked(null)}
          title={keyTexts.revokeTitle(asked.label)}
          question={`${keyTexts.revokeText} ${consequence(asked, plugins)}`}
          action={keyTexts.revokeConfirm}
          fallback={keyTexts.revokeFailed}
          send={() => client.pluginKeys.revoke({ id: asked.keyId })}
          onDone={changed}
        />
      )}
    </>
  );
};

const consequence = ({ keyId }: TrustedKey, plugins: readonly Plugin[]): string => {
  const stopped = plugins.filter(({ enabled, signature }) => enabled && signature.keyId === keyId);
  return stopped.length === 0
    ? keyTexts.revokeStopsNone
    : keyTexts.revokeStops(stopped.map(({ title }) => title).join(", "));
};

type KeyRowProps = { trusted: TrustedKey; onRevoke: () => void };

/** One key: whose it is, for which plugins and how long it counts, and its button unless it is not an admin's to revoke. */
const KeyRow = ({ trusted, onRevoke }: KeyRowProps) => {
  const { keyId, label, tier, names, revokedAt, source, addedBy } = trusted;
  const isOperators = source === "environment";
  return (
    <li className="grid gap-3 px-5 py-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="wrap-anywhere font-medium">{label}</h2>
        <Badge tone={tier === "native" ? "warning" : "success"}>{keyTexts.tiers[tier]}</Badge>
        {isOperators && <Badge>{keyTexts.environment}</Badge>}
        {revokedAt !== null && <Badge tone="danger">{keyTexts.revoked(formatDate(revokedAt))}</Badge>}
        {!isOperators && revokedAt === null && (
          <Button
            variant="outline"
            size="sm"
            aria-label={keyTexts.revokeName(label)}
            onClick={onRevoke}
            className="ml-auto"
          >
            {keyTexts.revoke}
          </Button>
        )}
      </div>
      {isOperators && <p className="text-[0.8125rem] text-muted-foreground">{keyTexts.environmentText}</p>}
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[7rem_1fr]">
        <Fact name={keyTexts.names}>{names.includes("*") ? keyTexts.anyName : names.join(", ")}</Fact>
        <Fact name={keyTexts.validity}>{validityOf(trusted)}</Fact>
        {addedBy !== null && <Fact name={keyTexts.addedBy}>{addedBy}</Fact>}
        <Fact name={keyTexts.id}>
          <Copyable name={keyTexts.id} text={keyId} isCode />
        </Fact>
      </dl>
    </li>
  );
};

const validityOf = ({ notBefore, notAfter }: TrustedKey): string =>
  [
    notBefore !== null && keyTexts.from(formatDate(notBefore)),
    notAfter !== null && keyTexts.until(formatDate(notAfter)),
  ]
    .filter(Boolean)
    .join(" ") || keyTexts.always;

type AddKeyDialogProps = { onClose: () => void; onAdded: () => void };

/** Trusts a publisher's key. */
const AddKeyDialog = ({ onClose, onAdded }: AddKeyDialogProps) => {
  const [notBefore, setNotBefore] = useState("");
  const [notAfter, setNotAfter] = useState("");
  const { errors, ...form } = useForm({
    rules: keyRules,
    send: async ({ publicKey, label, names }) => {
      const message = await addKey({
        publicKey: publicKey.replaceAll(/\s/g, ""),
        label: label.trim(),
        names: namesIn(names),
        notBefore: notBefore === "" ? null : `${notBefore}T00:00:00.000Z`,
        notAfter: notAfter === "" ? null : `${notAfter}T23:59:59.999Z`,
      });
      notify({ tone: "success", message });
      onClose();
      onAdded();
    },
    explain: (error) => failureText(error, keyTexts.addFailed),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={keyTexts.addTitle}
      description={keyTexts.addLead}
      action={keyTexts.submit}
    >
      <Field label={keyTexts.publicKey} hint={keyTexts.publicKeyHint} error={errors.publicKey}>
        <Textarea
          name="publicKey"
          rows={2}
          spellCheck={false}
          autoCapitalize="none"
          required
          autoFocus
          className="font-mono"
        />
      </Field>
      <Field label={keyTexts.label} hint={keyTexts.labelHint} error={errors.label}>
        <Input name="label" autoComplete="off" maxLength={60} required />
      </Field>
      <Field label={keyTexts.namesLabel} hint={keyTexts.namesHint} error={errors.names}>
        <Input name="names" defaultValue="*" autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <DateField
          label={keyTexts.notBefore}
          name="notBefore"
          value={notBefore}
          isUtc
          onChange={setNotBefore}
        />
        <DateField
          label={keyTexts.notAfter}
          name="notAfter"
          value={notAfter}
          isUtc
          onChange={setNotAfter}
          {...(notBefore !== "" && { min: notBefore })}
        />
      </div>
    </FormDialog>
  );
};

// 32 bytes in base64.
const rawKey = /^[A-Za-z0-9+/]{43}=$/;

/** The names in a list with commas. */
export const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** What can be said of a key before the server has seen it; white space in it is what a line break made of it. */
export const keyRules = {
  publicKey: (text: string) => (rawKey.test(text.replaceAll(/\s/g, "")) ? null : keyTexts.publicKeyWrong),
  label: (text: string) => (text.trim() === "" ? keyTexts.labelWrong : null),
  names: (text: string) => (namesIn(text).length === 0 ? keyTexts.namesWrong : null),
};

/** A key as admins add it; times are ISO, `null` for no bound. What it signs runs in the sandbox. */
type NewKey = Pick<TrustedKey, "publicKey" | "label" | "names" | "notBefore" | "notAfter">;

/** Every key that is or was trusted. */
const listKeys = async (): Promise<TrustedKey[]> => (await client.pluginKeys.list()).data.keys;

/** Trusts a key; resolves to what to tell. */
const addKey = async (key: NewKey): Promise<string> => (await client.pluginKeys.trust(key)).message;

/** Words of the keys that vouch for plugins. */
const keyTexts = {
  lead: "Packages signed with one of these keys are treated as coming from its publisher. Trust a key only if you got it from the publisher over a channel that no one else controls.",
  add: "Add key",
  loading: "Loading keys",
  none: "No keys yet",
  noneText:
    "Without trusted keys, every uploaded plugin is treated as unsigned: it runs in a sandbox and needs your consent.",
  id: "Key ID",
  names: "May sign",
  anyName: "Any plugin",
  validity: "Valid",
  always: "Always",
  from: (day: string) => `from ${day}`,
  until: (day: string) => `until ${day}`,
  addedBy: "Added by",
  tiers: { verified: "Verified", native: "Native" },
  environment: "Set by the operator",
  environmentText: "It is set in PLUGIN_TRUSTED_KEYS and can only be changed there.",
  revoked: (day: string) => `Revoked ${day}`,
  revoke: "Revoke",
  revokeName: (label: string) => `Revoke ${label}`,
  revokeTitle: (label: string) => `Revoke ${label}?`,
  revokeText: "Packages signed with it no longer start on any server. A revoked key can't be trusted again.",
  revokeStops: (titles: string) => `These plugins stop immediately: ${titles}.`,
  revokeStopsNone: "No running plugin is signed with it.",
  revokeConfirm: "Revoke key",
  revokeFailed: "The key could not be revoked",
  addTitle: "Trust a key",
  addLead:
    "Plugins signed by its owner are treated as verified and run in the sandbox. Only the operator can allow a key to sign plugins that run inside the server.",
  publicKey: "Public key",
  publicKeyHint: "The public key shown by “atrium plugin keygen”: 44 base64 characters.",
  publicKeyWrong: "Enter an ed25519 public key: 44 base64 characters",
  label: "Publisher",
  labelHint: "The name shown next to signatures made with this key.",
  labelWrong: "Enter a name for the key",
  namesLabel: "Plugins it may sign",
  namesHint: "Separate names with commas. * matches any text.",
  namesWrong: "Enter at least one name, or *",
  notBefore: "Not before",
  notAfter: "Not after",
  submit: "Trust key",
  addFailed: "The key could not be added",
} as const;
