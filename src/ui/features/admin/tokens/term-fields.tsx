import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { tokenLimits } from "#contract/api-tokens.ts";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { createTexts as texts } from "./texts.ts";
import type { TypedTerms } from "./token-draft.ts";

type Errors = Partial<TypedTerms>;

/** The field of a token's name. */
export const NameField = ({ token, errors }: { token?: ApiToken; errors: Errors }) => (
  <Field label={texts.name} hint={texts.nameHint} error={errors.name}>
    <Input
      name="name"
      autoComplete="off"
      maxLength={tokenLimits.nameLength}
      required
      defaultValue={token?.name}
    />
  </Field>
);

/** The fields of where from and how often a token may be used. */
export const LimitFields = ({ token, errors }: { token?: ApiToken; errors: Errors }) => (
  <>
    <Field label={texts.networks} hint={texts.networksHint} error={errors.allowedNetworks}>
      <Textarea
        name="allowedNetworks"
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
        defaultValue={token?.allowedNetworks.join("\n")}
      />
    </Field>
    <Field label={texts.calls} hint={texts.callsHint} error={errors.callsPerMinute}>
      <Input
        name="callsPerMinute"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={token?.callsPerMinute ?? ""}
      />
    </Field>
  </>
);
