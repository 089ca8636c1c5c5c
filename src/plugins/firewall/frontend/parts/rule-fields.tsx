import { texts } from "../texts.ts";
import { ChoiceField, TextField } from "./forms.tsx";
import { ruleMethods, type WindowUnit } from "./rule-values.ts";

type RouteFieldsProps = {
  method?: string | undefined;
  path: string;
  error: string | undefined;
  hint: string;
};

/** The fields `method` and `path` of a rule. */
export const RouteFields = ({ method = "*", path, error, hint }: RouteFieldsProps) => (
  <div className="grid grid-cols-[7rem_1fr] items-start gap-3">
    {/* A request may have come by another method, such as HEAD. */}
    <ChoiceField
      label={texts.method}
      name="method"
      names={{ ...ruleMethods, ...(!(method in ruleMethods) && { [method]: method }) }}
      defaultValue={method}
    />
    <TextField label={texts.path} name="path" error={error} isCode defaultValue={path} required />
    <p className="col-span-2 -mt-1 text-[0.8125rem] text-muted-foreground">{hint}</p>
  </div>
);

type WindowFieldsProps = {
  errors: { max?: string; windowMs?: string };
  max: number;
  amount: number;
  unit: WindowUnit;
};

/** The fields `max`, `windowMs` and `unit` of a limit. */
export const WindowFields = ({ errors, max, amount, unit }: WindowFieldsProps) => (
  <div className="grid grid-cols-[1fr_1fr_8rem] items-start gap-3">
    <TextField label={texts.max} name="max" error={errors.max} isNumber defaultValue={max} />
    <TextField label={texts.within} name="windowMs" error={errors.windowMs} isNumber defaultValue={amount} />
    <ChoiceField label={texts.unit} name="unit" names={texts.units} defaultValue={unit} />
  </div>
);
