/** A labelled choice among options, in forms. */
import type { Option } from "./filters.tsx";
import { Field } from "./page.tsx";

type SelectFieldProps = {
  name: string;
  label: string;
  options: Option[];
  /** The value that is chosen at first. Defaults to the first option. */
  present?: string;
  error: string | undefined;
};

export function SelectField({ name, label, options, present, error }: SelectFieldProps) {
  return (
    <Field label={label} error={error}>
      <select name={name} required>
        {options.map(({ value, title }) => (
          <option key={value} value={value} selected={value === present}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}
