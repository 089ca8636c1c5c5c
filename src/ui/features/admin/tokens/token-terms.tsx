import type { ApiToken } from "#api/modules/tokens/contract.ts";
import type { Complaint } from "#contract/account-rules.ts";
import {
  networkComplaint,
  type TokenPart,
  type TokenScope,
  tokenLimits,
  tokenParts,
  tokenScopes,
  tokenTexts,
} from "#contract/api-tokens.ts";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { withPaths } from "../with-paths.ts";
import { createTexts as texts } from "./texts.ts";

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
      autoFocus={token === undefined}
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

/** What was typed of what can be changed later; networks with white space or commas between. */
type TypedTerms = Record<"name" | "allowedNetworks" | "callsPerMinute", string>;

/** What was typed of a new token: for each area its rights with blanks between them, or `all`; and its end in days or words. */
type TypedToken = TypedTerms & Record<TokenPart | "all" | "expiresAt" | "day", string>;

const noComplaint = (): Complaint => null;

/** What a form can say of a token's terms before the server has seen them: the server knows the rest, in its own words. */
export const termRules = {
  name: (name: string): Complaint => (name.trim() === "" ? texts.noName : null),
  allowedNetworks: (typed: string): Complaint =>
    networksIn(typed).some((network) => networkComplaint(network) !== null) ? tokenTexts.badNetwork : null,
  callsPerMinute: (limit: string): Complaint => (isLimit(limit.trim()) ? null : tokenTexts.badCalls),
};

const networksIn = (typed: string): string[] => typed.split(/[\s,]+/).filter((network) => network !== "");

const isLimit = (text: string): boolean => /^\d{0,9}$/.test(text);

/** The same of a new token. */
export const createRules = {
  ...termRules,
  ...{ settings: noComplaint, activity: noComplaint, users: noComplaint, backups: noComplaint },
  ...{ all: noComplaint, day: noComplaint },
  plugins: (_: string, typed: TypedToken): Complaint =>
    readScopes(typed).length === 0 ? texts.noAccess : null,
  expiresAt: (end: string, { day }: TypedToken): Complaint =>
    end === "custom" && day === "" ? texts.noDay : null,
};

/** The scopes that were chosen. */
export const readScopes = (typed: Pick<TypedToken, TokenPart | "all">): TokenScope[] =>
  typed.all === ""
    ? tokenScopes.filter((scope) =>
        tokenParts.some((area) => typed[area].split(" ").some((right) => scope === `${area}:${right}`)),
      )
    : ["*"];

const dayMs = 86_400_000;

/** When the token ends, as it is sent: a day to its end, `null` for never. */
export const readEnd = ({ expiresAt, day }: Pick<TypedToken, "expiresAt" | "day">, nowMs: number) => {
  if (expiresAt === "never") return null;
  return expiresAt === "custom"
    ? `${day}T23:59:59.999Z`
    : new Date(nowMs + Number(expiresAt) * dayMs).toISOString();
};

/** What to send for the terms, of what {@link termRules} let pass. */
export const readTerms = ({ name, allowedNetworks, callsPerMinute }: TypedTerms) => ({
  name: name.trim(),
  allowedNetworks: networksIn(allowedNetworks),
  callsPerMinute: callsPerMinute.trim() === "" ? null : Number(callsPerMinute),
});

/** A call with what the server complains about at the form's fields: it names each network by its place, and one field is for all. */
export const placed = <T,>(call: Promise<T>): Promise<T> =>
  withPaths(call, (path) => path.split(".")[0] ?? "");
