import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { LimitFields, NameField } from "./term-fields.tsx";
import { tokenTexts as texts } from "./texts.ts";
import { placed, readTerms, termRules } from "./token-draft.ts";

type TokenFormProps = { token: ApiToken; onChanged: () => void };

/** What of a token can be changed. */
export const TokenForm = ({ token, onChanged }: TokenFormProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: termRules,
    send: async (typed) => {
      const change = { id: token.id, ...readTerms(typed) };
      const { message } = await placed(client.tokens.change(change));
      notify({ tone: "success", message });
      onChanged();
    },
    explain: (error) => failureText(error, texts.saveFailed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {problem !== null && <Alert severity="error">{problem.message}</Alert>}
        <NameField token={token} errors={errors} />
        <LimitFields token={token} errors={errors} />
        <Button type="submit" isBusy={isBusy} className="sm:justify-self-start">
          {texts.save}
        </Button>
      </fieldset>
    </form>
  );
};
