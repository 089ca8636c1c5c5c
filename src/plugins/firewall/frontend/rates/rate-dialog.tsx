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
import type { RateInput, RateRule, Role } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { DialogButtons } from "../parts/dialog-buttons.tsx";
import { ruleMethods } from "../parts/methods.ts";
import { isRulePath } from "../parts/path-complaint.ts";
import { wholeNumberComplaint } from "../parts/whole-number.ts";
import { rateTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { readWindow, toWindowMs, windowUnits } from "./rate-window.ts";

/** What rules can be counted by. */
const rateKeys = ["ip", "user", "ip+path"] as const satisfies RateRule["key"][];

/** What can follow when it is too much. */
const rateActions = ["block", "log", "ban"] as const satisfies RateRule["action"][];

/** Who rules can be about. */
const rateRoles = ["visitor", "user", "admin"] as const satisfies Role[];

type Name = "title" | "method" | "path" | "max" | "windowMs" | "unit" | "key" | "action";

const rules = {
  title: (value: string) => (value.trim() === "" ? texts.titleMissing : null),
  method: () => null,
  path: (value: string) => (isRulePath(value) ? null : texts.pathWrong),
  max: (value: string) => wholeNumberComplaint(value, [1, 100_000]),
  windowMs: (value: string, { unit }: Record<Name, string>) =>
    toWindowMs(value, unit) === null ? texts.windowWrong : null,
  unit: () => null,
  key: () => null,
  action: () => null,
};

/** Adds a rate rule, or changes or deletes one. */
export const RateDialog = ({ rule, onClose }: { rule?: RateRule; onClose: () => void }) => {
  const { api, calls } = useFirewall();
  const save = useSaver(true);
  const [roles, setRoles] = useState<readonly Role[]>(rule?.roles ?? ["visitor", "user"]);
  const [key, setKey] = useState(rule?.key ?? "ip");
  const [action, setAction] = useState(rule?.action ?? "block");
  const [isRemoving, setIsRemoving] = useState(false);
  const [needsRole, setNeedsRole] = useState(false);
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async (values) => {
      setNeedsRole(roles.length === 0);
      if (roles.length === 0) return;
      const input: RateInput = {
        ...{ title: values.title.trim(), method: values.method, path: values.path.trim() },
        ...{ max: Number(values.max), windowMs: toWindowMs(values.windowMs, values.unit) ?? 0 },
        ...{ roles: [...roles], key, action },
      };
      await save((revision) =>
        rule === undefined
          ? calls.addRate({ ...input, isOn: true, revision })
          : calls.changeRate(rule.id, { ...input, revision }),
      );
      api.notify(texts.saved(values.title.trim()));
      onClose();
    },
    explain: saveFailure,
  });
  const window = readWindow(rule?.windowMs ?? 60_000);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={rule === undefined ? texts.addTitle : texts.editTitle(rule.title)}
    >
      <form {...formProps}>
        {problem !== null && (
          <Alert severity="error" className="mb-5">
            {problem.message}
          </Alert>
        )}
        <fieldset disabled={isBusy} className="grid grid-cols-1 gap-5">
          <Field label={texts.title} error={errors.title}>
            <Input name="title" autoComplete="off" maxLength={100} defaultValue={rule?.title} required />
          </Field>
          <div className="grid grid-cols-[7rem_1fr] items-start gap-3">
            <Field label={texts.method} error={errors.method}>
              <Select name="method" defaultValue={rule?.method ?? "*"}>
                {ruleMethods.map((method) => (
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
                defaultValue={rule?.path ?? "/api/*"}
                className="font-mono"
                required
              />
            </Field>
            <p className="col-span-2 -mt-1 text-[0.8125rem] text-muted-foreground">{texts.pathHint}</p>
          </div>
          <div className="grid grid-cols-[1fr_1fr_8rem] items-start gap-3">
            <Field label={texts.max} error={errors.max}>
              <Input name="max" inputMode="numeric" autoComplete="off" defaultValue={rule?.max ?? 60} />
            </Field>
            <Field label={texts.windowAmount} error={errors.windowMs}>
              <Input name="windowMs" inputMode="numeric" autoComplete="off" defaultValue={window.amount} />
            </Field>
            <Field label={texts.windowUnit}>
              <Select name="unit" defaultValue={window.unit}>
                {windowUnits.map((unit) => (
                  <option key={unit} value={unit}>
                    {texts.units[unit]}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <fieldset className="grid gap-1.5">
            <legend className="mb-2 font-medium text-sm">{texts.roles}</legend>
            <div className="flex flex-wrap gap-x-6 gap-y-1">
              {rateRoles.map((role) => (
                <Checkbox
                  key={role}
                  label={common.visitors[role]}
                  checked={roles.includes(role)}
                  onChange={() => {
                    setNeedsRole(false);
                    setRoles(rateRoles.filter((other) => (other === role) !== roles.includes(other)));
                  }}
                />
              ))}
            </div>
            {needsRole && (
              <p role="alert" className="text-[0.8125rem] text-destructive">
                {texts.rolesMissing}
              </p>
            )}
          </fieldset>
          <Field label={texts.key} hint={texts.keyHints[key]}>
            <Select
              name="key"
              value={key}
              onChange={(event) => setKey(rateKeys.find((choice) => choice === event.target.value) ?? "ip")}
            >
              {rateKeys.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.keys[choice]}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={texts.action} hint={texts.actionHints[action]}>
            <Select
              name="action"
              value={action}
              onChange={(event) =>
                setAction(rateActions.find((choice) => choice === event.target.value) ?? "block")
              }
            >
              {rateActions.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.actions[choice]}
                </option>
              ))}
            </Select>
          </Field>
          {rule !== undefined && (
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
            action={rule === undefined ? texts.add : common.save}
            isBusy={isBusy}
            onCancel={onClose}
          />
        </fieldset>
      </form>
      {rule !== undefined && (
        <ConfirmDialog
          open={isRemoving}
          onClose={() => setIsRemoving(false)}
          title={texts.removeQuestion(rule.title)}
          question={texts.removeText}
          action={texts.remove}
          fallback={texts.removeFailed}
          onConfirm={async () => {
            await save(() => calls.deleteRate(rule.id));
            api.notify(texts.removed(rule.title));
            onClose();
          }}
        />
      )}
    </Dialog>
  );
};
