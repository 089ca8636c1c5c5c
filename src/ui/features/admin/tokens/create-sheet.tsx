import { useState } from "react";
import type { NewApiToken } from "#api/modules/tokens/contract.ts";
import { tokenAreas } from "#contract/api-tokens.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Checkbox } from "#ui/components/ui/checkbox.tsx";
import { DateField } from "#ui/components/ui/date-field.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { SheetPart } from "../sheet-part.tsx";
import { LimitFields, NameField } from "./term-fields.tsx";
import { createTexts as texts, tokenPageTexts } from "./texts.ts";
import { createRules, placed, readEnd, readScopes, readTerms } from "./token-draft.ts";

type CreateSheetProps = { onClose: () => void; onMade: (token: NewApiToken) => void };

/** The form of a new token. */
export const CreateSheet = ({ onClose, onMade }: CreateSheetProps) => {
  const [isAll, setIsAll] = useState(false);
  const [end, setEnd] = useState("90");
  const [day, setDay] = useState("");
  const { formProps, errors, problem, isBusy } = useForm({
    rules: createRules,
    send: async (typed) => {
      const wish = { ...readTerms(typed), scopes: readScopes(typed), expiresAt: readEnd(typed, Date.now()) };
      onMade((await placed(client.tokens.create(wish))).data);
    },
    explain: (error) => failureText(error, texts.failed),
  });
  return (
    <Sheet open onOpenChange={onClose} title={texts.title} description={texts.lead}>
      <form {...formProps}>
        <fieldset disabled={isBusy} className="grid gap-6">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <NameField errors={errors} />
          <SheetPart title={texts.access}>
            <div className="grid grid-cols-2 items-start gap-4" hidden={isAll}>
              {tokenAreas.map((area) => (
                <Field key={area} label={texts.areas[area]} error={errors[area]}>
                  <Select name={area}>
                    {Object.entries({ ...texts.levels, ...texts.furtherLevels[area] }).map(
                      ([value, name]) => (
                        <option key={value} value={value}>
                          {name}
                        </option>
                      ),
                    )}
                  </Select>
                </Field>
              ))}
            </div>
            <Checkbox
              name="all"
              label={texts.all}
              checked={isAll}
              onChange={({ target }) => setIsAll(target.checked)}
            />
            {isAll && <Alert severity="warning">{texts.allText}</Alert>}
          </SheetPart>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field
              label={texts.expires}
              error={errors.expiresAt}
              {...(end === "never" && { hint: texts.neverText })}
            >
              <Select name="expiresAt" value={end} onChange={({ target }) => setEnd(target.value)}>
                {Object.entries(texts.ends).map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
            {end === "custom" && (
              <DateField
                label={texts.day}
                hint={texts.dayHint}
                name="day"
                value={day}
                isUtc
                min={new Date().toISOString().slice(0, 10)}
                onChange={setDay}
              />
            )}
          </div>
          <LimitFields errors={errors} />
          <Button type="submit" isBusy={isBusy} className="sm:justify-self-start">
            {tokenPageTexts.create}
          </Button>
        </fieldset>
      </form>
    </Sheet>
  );
};
