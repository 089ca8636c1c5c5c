import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";

type FilterSelectProps = {
  label: string;
  /** What no choice is called. */
  any: string;
  value: string;
  choices: readonly string[];
  /** A choice in words. */
  nameOf?: (choice: string) => string;
  onChange: (value: string) => void;
};

const asItIs = (choice: string) => choice;

/** A filter that is one of several choices. What is not among them, as from an address, is offered all the same. */
export const FilterSelect = ({
  label,
  any,
  value,
  choices,
  nameOf = asItIs,
  onChange,
}: FilterSelectProps) => {
  const isKnown = value === "" || choices.includes(value);
  return (
    <Field label={label} className="min-w-0">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {(isKnown ? choices : [value, ...choices]).map((choice) => (
          <option key={choice} value={choice}>
            {nameOf(choice)}
          </option>
        ))}
      </Select>
    </Field>
  );
};
