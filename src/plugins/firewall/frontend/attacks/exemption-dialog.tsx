import {
  Alert,
  Button,
  Checkbox,
  ConfirmDialog,
  Dialog,
  Field,
  Input,
  Select,
  useForm,
} from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import type { Category } from "../../backend/engine/engine-types.ts";
import type { ExemptionInput, ExemptionRow } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { DialogButtons } from "../parts/dialog-buttons.tsx";
import { ruleMethods } from "../parts/methods.ts";
import { isRulePath } from "../parts/path-complaint.ts";
import { attackTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { readFieldNames } from "./field-names.ts";
import { categories } from "./pattern-filter.ts";

type ExemptionDialogProps = {
  /** What stands in the fields at first. */
  start?: ExemptionInput;
  /** The one that is changed, if any. */
  exemption?: ExemptionRow;
  onClose: () => void;
};

const rules = {
  method: () => null,
  path: (value: string) => (isRulePath(value) ? null : texts.pathWrong),
  fields: () => null,
  note: () => null,
};

/** Adds an exemption, or changes or deletes one. */
export const ExemptionDialog = ({ start, exemption, onClose }: ExemptionDialogProps) => {
  const { api, calls } = useFirewall();
  const save = useSaver(true);
  const first: ExemptionInput = exemption ?? start ?? {};
  const [chosen, setChosen] = useState<readonly Category[]>(first.categories ?? []);
  const [isWide, setIsWide] = useState((first.fields ?? []).length === 0);
  const [isRemoving, setIsRemoving] = useState(false);
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async ({ method, path, fields, note }) => {
      const input: ExemptionInput = {
        ...{ method, path: path.trim(), note: note.trim() },
        ...{ fields: readFieldNames(fields), categories: [...chosen] },
      };
      await save((revision) =>
        exemption === undefined
          ? calls.addExemption({ ...input, revision })
          : calls.changeExemption(exemption.id, { ...input, revision }),
      );
      api.notify(texts.saved);
      onClose();
    },
    explain: saveFailure,
  });
  return (
    <Dialog open onOpenChange={onClose} title={exemption === undefined ? texts.addTitle : texts.editTitle}>
      <form {...formProps}>
        {problem !== null && (
          <Alert severity="error" className="mb-5">
            {problem.message}
          </Alert>
        )}
        <fieldset disabled={isBusy} className="grid grid-cols-1 gap-5">
          <div className="grid grid-cols-[7rem_1fr] items-start gap-3">
            <Field label={texts.method}>
              <Select name="method" defaultValue={first.method ?? "*"}>
                {methodsWith(first.method).map((method) => (
                  <option key={method} value={method}>
                    {method === "*" ? texts.anyMethod : method}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label={texts.path} error={errors.path}>
              <Input
                name="path"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                defaultValue={first.path ?? ""}
                className="font-mono"
                required
              />
            </Field>
            <p className="col-span-2 -mt-1 text-[0.8125rem] text-muted-foreground">{texts.pathHint}</p>
          </div>
          <Field label={texts.fields} hint={texts.fieldsHint} error={errors.fields}>
            <Input
              name="fields"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={(first.fields ?? []).join(", ")}
              onInput={(event) => setIsWide(readFieldNames(event.currentTarget.value).length === 0)}
              className="font-mono"
            />
          </Field>
          <Categories chosen={chosen} onChange={setChosen} />
          {isWide && chosen.length === 0 && <Alert severity="warning">{texts.wide}</Alert>}
          <Field label={texts.note} error={errors.note}>
            <Input name="note" autoComplete="off" maxLength={200} defaultValue={first.note ?? ""} />
          </Field>
          {exemption !== undefined && (
            <Button
              variant="outline"
              size="sm"
              className="justify-self-start text-destructive"
              onClick={() => setIsRemoving(true)}
            >
              {texts.remove}
            </Button>
          )}
          <DialogButtons
            action={exemption === undefined ? texts.add : common.save}
            isBusy={isBusy}
            onCancel={onClose}
          />
        </fieldset>
      </form>
      {exemption !== undefined && (
        <ConfirmDialog
          open={isRemoving}
          onClose={() => setIsRemoving(false)}
          title={texts.removeQuestion(exemption.path)}
          question={texts.removeText}
          action={texts.remove}
          fallback={texts.removeFailed}
          onConfirm={async () => {
            await save(() => calls.deleteExemption(exemption.id));
            api.notify(texts.removed);
            onClose();
          }}
        />
      )}
    </Dialog>
  );
};

// A request may have come by another method, such as HEAD.
const methodsWith = (method: string | undefined): string[] => [...new Set([...ruleMethods, method ?? "*"])];

type CategoriesProps = { chosen: readonly Category[]; onChange: (chosen: Category[]) => void };

const Categories = ({ chosen, onChange }: CategoriesProps) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-2 font-medium text-sm">{texts.categories}</legend>
    <div className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
      {categories.map((category) => (
        <Checkbox
          key={category}
          label={common.categories[category]}
          checked={chosen.includes(category)}
          onChange={() =>
            onChange(categories.filter((other) => (other === category) !== chosen.includes(other)))
          }
        />
      ))}
    </div>
    <p className="mt-1 text-[0.8125rem] text-muted-foreground">{texts.categoriesHint}</p>
  </fieldset>
);
