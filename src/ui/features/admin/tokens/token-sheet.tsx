import { useState } from "react";
import type { ApiToken, NewApiToken } from "#api/modules/tokens/contract.ts";
import { tokenParts } from "#contract/api-tokens.ts";
import { tokenFields } from "#contract/field-marks.ts";
import { RequestDialog } from "#ui/components/confirm-dialog.tsx";
import { Form } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Checkbox } from "#ui/components/ui/checkbox.tsx";
import { DateField } from "#ui/components/ui/date-field.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { Facts, SheetPart } from "../facts.tsx";
import { formatDateTime } from "../format.ts";
import { createTexts, tokenPageTexts, tokenTexts } from "./texts.ts";
import {
  createRules,
  LimitFields,
  NameField,
  placed,
  readEnd,
  readScopes,
  readTerms,
  termRules,
} from "./token-terms.tsx";

type TokenSheetProps = { token: ApiToken; onClose: () => void; onChanged: () => void };

/** One token: what is known of it, the form of what can be changed, and the ways to revoke or remove it. */
export const TokenSheet = ({ token, onClose, onChanged }: TokenSheetProps) => {
  const [asked, setAsked] = useState<"revoke" | "remove" | null>(null);
  const { id, name, owner, lastUsedAt, lastUsedIp } = token;
  const offer = token.state === "live" ? "revoke" : "remove";

  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={name}
      description={tokenTexts.hint(token.hint)}
      actions={
        <Button variant="outline" size="sm" onClick={() => setAsked(offer)}>
          {tokenTexts[offer]}
        </Button>
      }
    >
      <div className="grid gap-6">
        {token.state === "live" && owner?.isActive === false && (
          <Alert severity="warning">{tokenPageTexts.ownerGone}</Alert>
        )}
        <Facts
          fields={tokenFields}
          contents={{
            ...{ id: null, name: null, hint: null },
            state: <StateBadge token={token} />,
            scopes: <ScopeBadges {...token} />,
            owner: owner?.email ?? tokenPageTexts.operator,
            createdAt: formatDateTime(token.createdAt),
            expiresAt: momentOf(token.expiresAt),
            lastUsedAt:
              lastUsedIp === null ? momentOf(lastUsedAt) : tokenTexts.from(momentOf(lastUsedAt), lastUsedIp),
            revokedAt: token.revokedAt === null ? null : momentOf(token.revokedAt),
            // While it can be used, the form below has these.
            allowedNetworks:
              token.state === "live" || token.allowedNetworks.length === 0
                ? null
                : token.allowedNetworks.join(", "),
            callsPerMinute: null,
          }}
        />
        {token.state === "live" && (
          <SheetPart title={tokenTexts.change}>
            <TokenForm token={token} onChanged={onChanged} />
          </SheetPart>
        )}
      </div>
      {asked !== null && (
        <RequestDialog
          onClose={() => setAsked(null)}
          title={questions[asked].title(name)}
          question={questions[asked].text}
          action={questions[asked].action}
          isDangerous={asked === "revoke"}
          fallback={questions[asked].fallback}
          send={() => client.tokens[asked]({ id })}
          onDone={onChanged}
        />
      )}
    </Sheet>
  );
};

const momentOf = (iso: string | null) => (iso === null ? tokenPageTexts.never : formatDateTime(iso));

const questions = {
  revoke: {
    title: tokenTexts.revokeTitle,
    text: tokenTexts.revokeText,
    action: tokenTexts.revokeConfirm,
    fallback: tokenTexts.revokeFailed,
  },
  remove: {
    title: tokenTexts.removeTitle,
    text: tokenTexts.removeText,
    action: tokenTexts.remove,
    fallback: tokenTexts.removeFailed,
  },
} as const;

type TokenFormProps = { token: ApiToken; onChanged: () => void };

/** What of a token can be changed. */
const TokenForm = ({ token, onChanged }: TokenFormProps) => {
  const { errors, ...form } = useForm({
    rules: termRules,
    send: async (typed) => {
      const change = { id: token.id, ...readTerms(typed) };
      const { message } = await placed(client.tokens.change(change));
      notify({ tone: "success", message });
      onChanged();
    },
    explain: (error) => failureText(error, tokenTexts.saveFailed),
  });
  return (
    <Form form={form} action={tokenTexts.save}>
      <NameField token={token} errors={errors} />
      <LimitFields token={token} errors={errors} />
    </Form>
  );
};

type CreateSheetProps = { onClose: () => void; onMade: (token: NewApiToken) => void };

/** The form of a new token. */
export const CreateSheet = ({ onClose, onMade }: CreateSheetProps) => {
  const [isAll, setIsAll] = useState(false);
  const [end, setEnd] = useState("90");
  const [day, setDay] = useState("");
  const { errors, ...form } = useForm({
    rules: createRules,
    send: async (typed) => {
      const wish = { ...readTerms(typed), scopes: readScopes(typed), expiresAt: readEnd(typed, Date.now()) };
      onMade((await placed(client.tokens.create(wish))).data);
    },
    explain: (error) => failureText(error, createTexts.failed),
  });
  return (
    <Sheet open onOpenChange={onClose} title={createTexts.title} description={createTexts.lead}>
      <Form form={form} action={tokenPageTexts.create} className="gap-6">
        <NameField errors={errors} />
        <SheetPart title={createTexts.access}>
          <div className="grid grid-cols-2 items-start gap-4" hidden={isAll}>
            {tokenParts.map((area) => (
              <Field key={area} label={createTexts.areas[area]} error={errors[area]}>
                <Select name={area} options={Object.entries(createTexts.levels[area])} />
              </Field>
            ))}
          </div>
          <Checkbox
            name="all"
            label={createTexts.all}
            checked={isAll}
            onChange={({ target }) => setIsAll(target.checked)}
          />
          {isAll && <Alert severity="warning">{createTexts.allText}</Alert>}
        </SheetPart>
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field
            label={createTexts.expires}
            error={errors.expiresAt}
            {...(end === "never" && { hint: createTexts.neverText })}
          >
            <Select
              name="expiresAt"
              value={end}
              onChange={({ target }) => setEnd(target.value)}
              options={Object.entries(createTexts.ends)}
            />
          </Field>
          {end === "custom" && (
            <DateField
              label={createTexts.day}
              hint={createTexts.dayHint}
              name="day"
              value={day}
              isUtc
              min={new Date().toISOString().slice(0, 10)}
              onChange={setDay}
            />
          )}
        </div>
        <LimitFields errors={errors} />
      </Form>
    </Sheet>
  );
};

/** What a token may do, a badge for each scope. */
export const ScopeBadges = ({ scopes }: Pick<ApiToken, "scopes">) => (
  <span className="flex flex-wrap gap-1">
    {scopes.map((scope) =>
      scope === "*" ? (
        <Badge key={scope} tone="warning">
          {tokenPageTexts.everything}
        </Badge>
      ) : (
        <Badge key={scope}>{scope}</Badge>
      ),
    )}
  </span>
);

/** Whether a token can be used; also that it is refused because of its owner. */
export const StateBadge = ({ token: { state, owner } }: { token: ApiToken }) => {
  const shown = state === "live" && owner?.isActive === false ? "ownerless" : state;
  return <Badge tone={tones[shown]}>{tokenPageTexts.states[shown]}</Badge>;
};

const tones = { live: "success", expired: "neutral", revoked: "danger", ownerless: "warning" } as const;
